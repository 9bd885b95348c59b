import { isDeepStrictEqual } from 'node:util'
import { boardView } from '#web/data/board-view.ts'
import type { Device } from '#web/data/browser/device.ts'
import { figuresOf } from '#web/data/query/figures-of.ts'
import { firstCountLimit, type Query } from '#web/data/query/query.ts'
import { type Rows, rowsOf } from '#web/data/query/rows-of.ts'
import type { View } from '#web/data/query/view.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { query } from '../query.ts'
import { type SimTable, simTables, type SimWorld } from './sim-world.ts'

const byCompany: Query<'contacts'> = { table: 'contacts', order: 'company', most: firstCountLimit }
const withoutOwner: Query<'companies'> = { table: 'companies', where: { owner_id: null }, order: 'name' }
const openTasks: Query<'tasks'> = { table: 'tasks', where: { status: 'open' }, order: 'due' }

/** The queries of the lists that are shown, with their conditions in SQL. */
const shownLists: readonly { query: Query; sql: string }[] = [
  ...simTables.map((table) => ({ query: { table, most: firstCountLimit }, sql: 'true' })),
  { query: byCompany, sql: 'true' },
  { query: withoutOwner, sql: 'owner_id is null' },
  { query: openTasks, sql: `status = 'open'` },
]

/** The views of one brand, as the screens of one tab show them. */
interface ShownViews {
  data: BrandData
  lists: readonly View<Rows<AnyRow>>[]
  board: ReturnType<typeof boardView>
  figures: ReturnType<typeof figuresOf>
  stop(): void
}

/** Shows lists, a board and figures on a device all the time, also if the device does not store all rows of their tables. */
export class ShownScreens {
  private shown: ShownViews | null = null

  constructor(private readonly name: string) {}

  /** Shows the brand that a tab of the device opens. Hides what was shown before. */
  follow(device: Device): void {
    this.hide()
    openBrand(device).subscribe(() => {
      const data = openBrand(device).get()
      if (data === this.shown?.data) return
      this.hide()
      if (data) this.shown = show(data)
    })
  }

  hide(): void {
    this.shown?.stop()
    this.shown = null
  }

  /** Reads all views and requests what is in sight, as screens do after each paint. */
  look(): void {
    if (!this.shown) return
    for (const view of this.shown.lists) view.read().want(0, 29)
    for (const { want } of this.shown.board.read().columns) want(0, 29)
    this.shown.figures.read()
  }

  /** Returns the columns of the board as a text: their counts, totals, and the deals that are on this device. */
  board(): string {
    const { columns = [] } = this.shown?.board.read() ?? {}
    return columns
      .map(({ stage, count, totals, at }) => {
        const deals = Array.from({ length: count }, (_, index) => at(index)?.deal.name ?? '…')
        return `${stage.name} ${count} ${JSON.stringify(totals)} ${deals.toSorted().join()}`
      })
      .join('; ')
  }

  /** Compares what is on the screen with the database. Call it when nothing is waiting or on its way. Returns a sentence for each difference. */
  async faults(world: SimWorld, brandId: string): Promise<string[]> {
    const { shown } = this
    if (!shown) return [`${this.name}: no brand is open`]
    const found: string[] = []
    const compare = (seen: unknown, wanted: unknown, what: string) => {
      if (!isDeepStrictEqual(seen, wanted))
        found.push(`${this.name}, ${what}: ${textOf(seen)} instead of ${textOf(wanted)}`)
    }
    for (const [index, { query: of, sql }] of shownLists.entries()) {
      const rows = await rowsInDatabase(world, brandId, of.table as SimTable, sql)
      const list = shownRows(shown.lists[index])
      compare(new Set(list.rows), new Set(rows), `${of.table} ${of.order ?? 'newest'} ${sql}`)
      compare(list.total, rows.length, `total of ${of.table} ${of.order ?? 'newest'} ${sql}`)
      if (!of.order) compare(list.rows, rows, `order of ${of.table}`)
    }
    const tasks = await rowsInDatabase(world, brandId, 'tasks', `status = 'open'`)
    compare(shown.figures.read().count, tasks.length, 'number of open tasks')
    for (const { stage, count, isCounting, totals, at } of shown.board.read().columns) {
      const rows = await rowsInDatabase(world, brandId, 'deals', 'stage_id = $2', stage.id)
      const cards = Array.from({ length: count }, (_, index) => at(index))
      compare(
        cards.map((card) => (card ? idAndVersion(card.deal) : null)),
        rows,
        `column ${stage.name}`,
      )
      compare([count, isCounting], [rows.length, false], `number of column ${stage.name}`)
      const sums = await query<{ currency: string; amount: number }>(
        world.server,
        `select amount_currency as currency, sum(amount)::float as amount from public.deals
         where brand_id = $1 and stage_id = $2 group by 1 order by 1`,
        brandId,
        stage.id,
      )
      compare(
        totals.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
        sums,
        `totals of column ${stage.name}`,
      )
    }
    return found
  }
}

function show(data: BrandData): ShownViews {
  const lists = shownLists.map(({ query: of }) => rowsOf(data, of) as View<Rows<AnyRow>>)
  const board = boardView(data, { pipeline: 'all' })
  const figures = figuresOf(data, openTasks)
  const stops = [...lists, board, figures].map((view) => view.subscribe(() => {}))
  return { data, lists, board, figures, stop: () => stops.forEach((stop) => stop()) }
}

/** Returns the total of a list, and id and version of each row. Null for a row that is not on this device. */
function shownRows(list: View<Rows<AnyRow>> | undefined): { total: number; rows: (string | null)[] } {
  const { total = 0, at = () => undefined } = list?.read() ?? {}
  const rows = Array.from({ length: total }, (_, index) => at(index))
  return { total, rows: rows.map((row) => (row ? idAndVersion(row) : null)) }
}

const idAndVersion = ({ id, version }: AnyRow) => `${id} v${version}`

/** Returns id and version of each row that meets a condition, newest first. */
async function rowsInDatabase(world: SimWorld, brandId: string, table: SimTable, sql: string, ...values: unknown[]) {
  const rows = await query<AnyRow>(
    world.server,
    `select id, version from public.${table} where brand_id = $1 and ${sql} order by created_at desc, id`,
    brandId,
    ...values,
  )
  return rows.map(idAndVersion)
}

const textOf = (value: unknown) => JSON.stringify(value instanceof Set ? [...value] : value)
