import type { Where } from '#web/data/query/list-options.ts'
import type { Money } from '#web/lib/money.ts'
import { type Figures, figuresOf } from '#web/data/query/figures-of.ts'
import type { Query } from '#web/data/query/query.ts'
import { type Rows, rowsOf } from '#web/data/query/rows-of.ts'
import { addAmount, moneyOf, type Sums } from '#web/data/query/sums.ts'
import { sourceOfObservable, switchedView, type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { Deal, DealStage } from '#web/data/server/rows.ts'
import { untilPainted } from '#web/data/browser/yield-to-screen.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { fetchBoardAhead, type BoardOwner, columnQuery } from './ask-board.ts'
import { cardOf, type DealCard } from './deal-cards.ts'
import { isOpenStage, stagesByPosition, stagesOfPipeline, stagesView } from './deal-stages.ts'
import { pipelineOf } from './pipelines.ts'

/** One column of the board. The object stays the same while nothing in it changes. */
export interface BoardColumn {
  stage: DealStage
  /** Number of the stage's deals that meet the query of the board, including those that are not on this device. */
  count: number
  /** True while the server counts: the column has at least `count` deals, and `totals` has only the sums of the deals on this device. */
  isCounting: boolean
  /** Sums by currency, pounds first. Empty if there are no deals. */
  totals: readonly Money[]
  /**
   * Returns the card at an index. The deal that was created last comes first; deals of the same time are ordered by id. Undefined if the card is not
   * on this device yet: show a placeholder of a card's height.
   */
  at: (index: number) => DealCard | undefined
  /** Fetches the missing rows of the cards with these indexes. Call it in an effect with the indexes of the visible cards. */
  want: (first: number, last?: number) => void
  /** Returns the index of a deal in this column. -1 if the column does not have it, or this device does not know its place. */
  indexOf(dealId: string): number
  /** The query for the deals of this column. */
  query: Query<'deals'>
}

export interface Board {
  ready: boolean
  columns: readonly BoardColumn[]
  /** Sums of the deals whose stage is neither won nor lost. */
  pipeline: readonly Money[]
  /** True while the server counts the deals of a column. */
  isCounting: boolean
  /** The pipeline whose stages are shown. Null if all pipelines are shown, or if none is known. */
  pipelineId: string | null
}

/** The board before anything is known. */
export const noBoard: Board = { ready: false, columns: [], pipeline: [], isCounting: false, pipelineId: null }

/** The views from which the column of one stage is computed. */
interface StageDeals {
  rows: View<Rows<Deal>>
  figures: View<Figures>
  query: Query<'deals'>
}

/** The values from which a column was computed. While all of them are the same, the column is not computed again. */
interface ColumnParts {
  stage: DealStage
  rows: Rows<Deal>
  figures: Figures
  query: Query<'deals'>
  /** The change ids of the tables that have the names on the cards. */
  namesChangeId: string
}

/** The deals that a board shows. */
export interface BoardQuery {
  search?: string
  owner?: BoardOwner
  /** Shows only open stages (of all pipelines if `pipeline` is not given), and only their deals that meet these conditions. */
  where?: Where | undefined
  /** Shows only deals that meet these conditions, in all stages. */
  filter?: Where | undefined
  /** The id of a pipeline, or of one of its stages. 'all' shows all pipelines. Default: the first one. */
  pipeline?: string | undefined
}

/** Creates the view of the board, with one query for each stage that is shown. */
export function boardView(data: BrandData, query: BoardQuery): View<Board> {
  const { search = '', owner, where, filter, pipeline = where && 'all' } = query
  const isAll = pipeline === 'all'
  const stagesShown = () =>
    (isAll ? stagesByPosition(data) : stagesOfPipeline(data, pipeline)).filter((stage) => !where || isOpenStage(stage))
  const board = switchedView(
    [data.tables.deal_stages, data.tables.pipelines],
    () => [isAll || pipelineOf(data, pipeline)?.id, ...stagesShown().map(({ id, kind }) => id + kind)].join(),
    () => {
      const conditions = (where || filter) && { ...where, ...filter }
      const columns = stagesShown().map(({ id }) => ({ id, query: columnQuery(id, search, owner, conditions) }))
      return stagesBoard(data, columns, isAll ? null : (pipelineOf(data, pipeline)?.id ?? null))
    },
  )
  return {
    read: board.read,
    subscribe: (listener) => {
      const abort = new AbortController()
      if (!search && !where && !filter) {
        void fetchBoardAhead(data, owner, isAll ? undefined : pipeline, abort.signal)
        readRowsAfterFirstLook(data)
      }
      const stop = board.subscribe(listener)
      return () => {
        abort.abort()
        stop()
      }
    },
  }
}

function stagesBoard(
  data: BrandData,
  shown: readonly { id: string; query: Query<'deals'> }[],
  pipelineId: string | null,
): View<Board> {
  const stages = stagesView(data)
  const dealsByStage = new Map<string, StageDeals>()
  for (const { id, query } of shown) dealsByStage.set(id, dealsOf(data, query))
  const { contacts, companies, memberships } = data.tables
  const dealSources = [...dealsByStage.values()].flatMap(({ rows, figures }) => [
    sourceOfView(rows),
    sourceOfView(figures),
  ])
  const partsOfColumns = new Map<BoardColumn, ColumnParts>()
  return view<Board>(
    [sourceOfView(stages), contacts, companies, memberships, sourceOfObservable(data.firstPullEnded), ...dealSources],
    (previous) => {
      const namesChangeId = [contacts, companies, memberships].map((table) => table.changeId()).join()
      const oldColumns = new Map(previous?.columns.map((column) => [column.stage.id, column]))
      const columns = stages.read().stages.flatMap((stage) => {
        const stageDeals = dealsByStage.get(stage.id)
        if (!stageDeals) return []
        const { rows, figures, query } = stageDeals
        const next = { stage, rows: rows.read(), figures: figures.read(), query, namesChangeId }
        const column = oldColumns.get(stage.id)
        const old = column && partsOfColumns.get(column)
        if (column && old && areSameParts(old, next)) return [column]
        const newColumn = columnOf(data, next)
        partsOfColumns.set(newColumn, next)
        return [newColumn]
      })
      for (const column of partsOfColumns.keys()) if (!columns.includes(column)) partsOfColumns.delete(column)
      const ready = stages.read().ready && columns.every((column) => partsOfColumns.get(column)?.figures.ready)
      if (!ready) return previous?.ready === false ? previous : { ...noBoard, pipelineId }
      const isCounting = columns.some((column) => column.isCounting)
      return { ready, columns, pipeline: openTotals(columns), isCounting, pipelineId }
    },
  )
}

/** If a first look is shown, the stored rows are read only after the browser has painted the first look. */
function readRowsAfterFirstLook(data: BrandData): void {
  const shown = data.firstLook.get()
  if (shown) shown.painted ??= untilPainted()
}

function dealsOf(data: BrandData, query: Query<'deals'>): StageDeals {
  return { rows: rowsOf(data, query), figures: figuresOf(data, query), query }
}

function columnOf(data: BrandData, { stage, rows, figures, query }: ColumnParts): BoardColumn {
  return {
    stage,
    // With `figuresApart`, the request for the rows does not count the deals, so `rows.total` may be too low.
    count: Math.max(figures.count, rows.ready && !query.figuresApart ? rows.total : 0),
    totals: figures.sums,
    isCounting: figures.counting,
    at: (index) => {
      const deal = rows.at(index)
      return deal && cardOf(data, deal)
    },
    want: rows.want,
    indexOf: (dealId) => {
      for (let index = 0; index < rows.total; index++) if (rows.at(index)?.id === dealId) return index
      return -1
    },
    query,
  }
}

function areSameParts(one: ColumnParts, other: ColumnParts): boolean {
  return (
    one.stage === other.stage &&
    one.rows === other.rows &&
    one.figures === other.figures &&
    one.namesChangeId === other.namesChangeId
  )
}

function openTotals(columns: readonly BoardColumn[]): Money[] {
  const pipeline: Sums = new Map()
  for (const { stage, totals } of columns)
    if (isOpenStage(stage)) for (const { currency, amount } of totals) addAmount(pipeline, currency, amount, 1)
  return moneyOf(pipeline)
}
