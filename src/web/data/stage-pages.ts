import type { BrandData } from '#web/data/store/brand-data.ts'
import { readPage } from '#web/data/server/rest-page.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { ServerList } from '#web/data/query/server-list.ts'
import { newestFirst } from '#web/data/store/sorted-list.ts'
import type { Source } from '#web/data/query/view.ts'
import { withOurs } from '#web/data/query/with-ours.ts'

/** The deals of each stage page by page, for a brand with more of them than are kept on a device. */
export class StagePages implements Source {
  private readonly lists = new Map<string, ServerList>()
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private readonly stops: (() => void)[] = []

  constructor(
    private readonly data: BrandData,
    private readonly mine = false,
  ) {}

  revision = (): number => {
    let sum = this.lists.size
    for (const list of this.lists.values()) sum += list.revision()
    return sum
  }

  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size > 0) return
      for (const stop of this.stops.splice(0)) stop()
    }
  }

  /** The rows of a column, null for those not here yet; null as a whole where every deal is or will be on this device. */
  rows(stageId: string): readonly (Deal | null)[] | null {
    if (this.data.state.get().tables.deals?.mode !== 'windowed') return null
    const list = this.listOf(stageId)
    list.want(0)
    if (!list.answered) return null
    const isIn = (deal: Deal) => deal.stage_id === stageId && (!this.mine || deal.owner_id === this.data.userId)
    const { first, ids, total } = withOurs({ data: this.data, table: 'deals', list, isIn, order: newestFirst })
    const rows: (Deal | null)[] = [...first]
    for (const id of ids) rows.push((id && this.data.tables.deals.get(id)) || null)
    while (rows.length < total) rows.push(null)
    return rows
  }

  /** Somebody looks at this place of a column. */
  want(stageId: string, index: number): void {
    if (this.data.state.get().tables.deals?.mode === 'windowed') this.listOf(stageId).want(index)
  }

  private listOf(stageId: string): ServerList {
    const present = this.lists.get(stageId)
    if (present) return present
    const { data, mine } = this
    const order = [
      { column: 'created_at', ascending: false },
      { column: 'id', ascending: true },
    ]
    const made = new ServerList(data, {
      table: 'deals',
      keptAs: mine ? null : `deals:stage:${stageId}`,
      fetchPage: async (offset, signal) => {
        const page = await readPage({
          ...data,
          table: 'deals',
          equal: { stage_id: stageId, ...(mine && { owner_id: data.userId }) },
          order,
          offset,
          limit: 100,
          signal,
        })
        return { ...page, named: [] }
      },
    })
    this.lists.set(stageId, made)
    this.stops.push(made.subscribe((urgent) => this.listeners.forEach((listener) => listener(urgent))))
    return made
  }
}
