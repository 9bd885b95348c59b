import { isDeepStrictEqual } from 'node:util'
import { boardView } from '#web/data/board-view.ts'
import type { Device } from '#web/data/browser/device.ts'
import { figuresOf } from '#web/data/query/figures-of.ts'
import { firstCountLimit, type Query } from '#web/data/query/query.ts'
import { type Rows, rowsOf } from '#web/data/query/rows-of.ts'
import type { View } from '#web/data/query/view.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { BrandInDatabase, DatabaseRow } from './sim-database.ts'
import { type SimTable, simTables } from './sim-world.ts'

const byCompany: Query<'contacts'> = { table: 'contacts', order: 'company', most: firstCountLimit }
const withoutOwner: Query<'companies'> = { table: 'companies', where: { owner_id: null }, order: 'name' }
const openTasks: Query<'tasks'> = { table: 'tasks', where: { status: 'open' }, order: 'due' }

const isOpen = ({ status }: DatabaseRow) => status === 'open'

/** The queries of the lists that are shown. `isMet`: true for the rows of the database that the list must show. */
const shownLists: readonly { query: Query; condition: string; isMet: (row: DatabaseRow) => boolean }[] = [
  ...simTables.map((table) => ({ query: { table, most: firstCountLimit }, condition: 'all', isMet: () => true })),
  { query: byCompany, condition: 'all', isMet: () => true },
  { query: withoutOwner, condition: 'without owner', isMet: ({ owner_id }) => owner_id === null },
  { query: openTasks, condition: 'open', isMet: isOpen },
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

  /**
   * Compares what is on the screen with the database. Call it when no operation waits and no request is under way. Returns a sentence for each
   * difference.
   */
  errors(brand: BrandInDatabase): string[] {
    const { shown } = this
    if (!shown) return [`${this.name}: no brand is open`]
    const differences: string[] = []
    const compare = (shownValue: unknown, storedValue: unknown, what: string) => {
      if (!isDeepStrictEqual(shownValue, storedValue))
        differences.push(`${this.name}, ${what}: ${textOf(shownValue)} instead of ${textOf(storedValue)}`)
    }
    for (const [index, { query, condition, isMet }] of shownLists.entries()) {
      const rows = brand.rows[query.table as SimTable].filter(isMet).map(idAndVersion)
      const list = shownRows(shown.lists[index])
      compare(new Set(list.rows), new Set(rows), `${query.table} ${query.order ?? 'newest'} ${condition}`)
      compare(list.total, rows.length, `total of ${query.table} ${query.order ?? 'newest'} ${condition}`)
      if (!query.order) compare(list.rows, rows, `order of ${query.table}`)
    }
    compare(shown.figures.read().count, brand.rows.tasks.filter(isOpen).length, 'number of open tasks')
    for (const { stage, count, isCounting, totals, at } of shown.board.read().columns) {
      const rows = brand.rows.deals.filter(({ stage_id }) => stage_id === stage.id).map(idAndVersion)
      const cards = Array.from({ length: count }, (_, index) => at(index))
      compare(
        cards.map((card) => (card ? idAndVersion(card.deal) : null)),
        rows,
        `column ${stage.name}`,
      )
      compare([count, isCounting], [rows.length, false], `number of column ${stage.name}`)
      const sums = brand.sums.filter(({ stage_id }) => stage_id === stage.id)
      compare(
        totals.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
        sums.map(({ currency, amount }) => ({ currency, amount })),
        `totals of column ${stage.name}`,
      )
    }
    return differences
  }
}

function show(data: BrandData): ShownViews {
  const lists = shownLists.map(({ query }) => rowsOf(data, query) as View<Rows<AnyRow>>)
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

const idAndVersion = ({ id, version }: Pick<AnyRow, 'id' | 'version'>) => `${id} v${version}`

const textOf = (value: unknown) => JSON.stringify(value instanceof Set ? [...value] : value)
