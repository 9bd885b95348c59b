import type { Timer } from '#web/data/browser/surroundings.ts'
import { untilIdle } from '#web/data/browser/until-idle.ts'
import { isAnsweredHere } from '#web/data/query/is-answered-here.ts'
import { localRows } from '#web/data/query/local-rows.ts'
import { queryKey } from '#web/data/query/query.ts'
import { addAmount, type Sums } from '#web/data/query/sums.ts'
import type { Deal } from '#web/data/server/rows.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { FirstLook, FirstLookList } from '#web/data/store/first-look.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { hasWaitingOperations } from '#web/data/store/load-brand-data.ts'
import { isStoringRows } from '#web/data/store/store-rows.ts'
import { columnQuery } from './ask-board.ts'
import { stagesOfPipeline } from './deal-stages.ts'
import { dealsWithTasks } from './deals-with-tasks.ts'

/** Cards per column: as many as a tall screen shows. */
const cardsKept = 20
/** A first look is stored when this time has passed after the last change. */
const restMs = 2000

/** Stores the first look at the board for the next start, whenever the rows on this device have changed, until the brand is closed. */
export function storeFirstLook(data: BrandData): void {
  const { clock } = data.device
  let timer: Timer | undefined
  const storeLater = () => {
    clock.clearTimeout(timer)
    timer = clock.setTimeout(() => {
      if (data.writes.underway > 0) storeLater()
      else storeNow(data).catch((error: unknown) => console.warn('The first look is not stored.', error))
    }, restMs)
  }
  const stops = [data.writes.known.subscribe(storeLater), data.loaded.subscribe(storeLater)]
  data.onClose(() => {
    clock.clearTimeout(timer)
    for (const stop of stops) stop()
  })
  storeLater()
}

async function storeNow(data: BrandData): Promise<void> {
  await untilIdle()
  // The brand was closed meanwhile, for example because the user has signed out.
  if (openBrand(data.device).get() !== data) return
  const writes = data.writes.known.get()
  const look = writes === null ? null : firstLookOf(data)
  if (writes !== null && look) await localDatabase(data.device, data.userId).putLook(data.brandId, writes, look)
}

/** Returns the first look at the board. Null if rows are missing, being written or not stored on this device, or if operations wait to be sent. */
export function firstLookOf(data: BrandData): FirstLook | null {
  const isComplete = (['pipelines', 'deal_stages', 'deals'] as const).every((table) => isAnsweredHere(data, { table }))
  if (
    !data.loaded.get() ||
    hasWaitingOperations(data) ||
    !isComplete ||
    data.writes.underway ||
    !isStoringRows(data.device)
  )
    return null
  const { pipelines, deal_stages: stages, memberships, contacts, companies } = data.tables
  const deals: Deal[] = []
  const lists: Record<string, FirstLookList> = {}
  for (const { id } of stagesOfPipeline(data, undefined)) {
    const query = columnQuery(id, '', undefined)
    const rows = localRows(data, query)
    const firstDeals = rows.slice(0, cardsKept)
    lists[queryKey(query)] = { ids: firstDeals.map((deal) => deal.id), total: rows.length, sums: sumsOf(rows) }
    deals.push(...firstDeals)
  }
  const existingRows = <Row extends AnyRow>(
    rows: { get(id: string): Row | undefined },
    ids: readonly (string | null)[],
  ) => [...new Set(ids)].flatMap((id) => (id && rows.get(id)) || [])
  const withTask = dealsWithTasks(data).read()
  return {
    rows: {
      pipelines: [...pipelines.values()],
      deal_stages: [...stages.values()],
      memberships: existingRows(memberships, [data.userId, ...deals.map((deal) => deal.owner_id)]),
      contacts: existingRows(
        contacts,
        deals.map((deal) => deal.contact_id),
      ),
      companies: existingRows(
        companies,
        deals.map((deal) => deal.company_id),
      ),
      deals,
    },
    lists,
    withTask: withTask && deals.map(({ id }) => id).filter((id) => withTask.has(id)),
  }
}

function sumsOf(rows: readonly Deal[]): FirstLookList['sums'] {
  const sums: Sums = new Map()
  for (const { amount, amount_currency: currency } of rows) addAmount(sums, currency, amount, 1)
  return [...sums].map(([currency, { count, hundredths }]) => ({ currency, count, amount: hundredths / 100 }))
}
