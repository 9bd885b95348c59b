import { askBoard } from './server-figures.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { boardFigures, isComplete } from '#web/data/store/brand-state.ts'
import { cardOf, type DealCard, dealMatches } from './deal-cards.ts'
import { dealsByStage } from './deals-by-stage.ts'
import { isOpenStage, stagesByPosition } from './deal-stages.ts'
import type { Money } from '#web/lib/money.ts'
import type { Deal, DealStage } from '#web/data/server/rows.ts'
import { fold } from '#web/data/query/search-text.ts'
import { StagePages } from './stage-pages.ts'
import { stageTotals } from './stage-totals.ts'
import { addAmount, countOf, moneyOf, type Sums } from '#web/data/query/sums.ts'
import { sourceOf, type View, view } from '#web/data/query/view.ts'

/** One column of the board. The object stays the same while nothing in it changed. */
export interface BoardColumn {
  stage: DealStage
  /** All deals of the stage (of the search, while searching), also those not on this device. */
  count: number
  /** Sums by currency, pounds first; empty when there is no deal. */
  totals: readonly Money[]
  /** Newest first, then id. Undefined: not here yet, show a placeholder of a card's height. */
  at(index: number): DealCard | undefined
  /** The place of a deal in this column, or -1. */
  indexOf(dealId: string): number
}

export interface Board {
  ready: boolean
  columns: readonly BoardColumn[]
  /** Sums of the deals whose stage is neither won nor lost. */
  pipeline: readonly Money[]
}

interface Content {
  stage: DealStage
  rows: readonly (Deal | null)[]
  count: number
  totals: readonly Money[]
}

/** The board over a brand's data, whether every deal is on this device or not. */
export function boardView(data: BrandData, search: string, mine = false): View<Board> {
  const text = fold(search)
  const { deals, contacts, companies, deal_stages } = data.tables
  const pages = new StagePages(data, mine)
  const isMine = (deal: Deal) => !mine || deal.owner_id === data.userId
  const isShown = (deal: Deal) => isMine(deal) && (!text || dealMatches(data, deal, text))
  // Made before the rows are read, the columns are sorted slice by slice and not all at once when they are first shown.
  dealsByStage(data)
  const states = [sourceOf(data.state), sourceOf(data.loaded), sourceOf(data.answered)]
  let names: unknown = null
  const board = view<Board>([deals, contacts, companies, deal_stages, ...states, pages], (previous) => {
    if (!isKnown(data, mine)) return { ready: false, columns: [], pipeline: [] }
    const stages = stagesByPosition(data)
    const totals = stageTotals(data, mine)
    const present = `${contacts.revision()} ${companies.revision()}`
    const reusable = present === names ? previous : undefined
    names = present
    const columns = stages.map((stage) => {
      const isFiltered = text || (mine && !pages.rows(stage.id))
      const content = isFiltered ? searched(data, stage, isShown) : whole(data, stage, totals.get(stage.id), pages)
      return sameColumn(reusable, content) ?? makeColumn(data, content, text ? null : pages)
    })
    return { ready: true, columns, pipeline: pipelineOf(stages, totals) }
  })
  return { read: board.read, subscribe: (listener) => withFigures(data, mine, board.subscribe(listener)) }
}

/** Asks for SQL's figures while they are needed; they follow changes that this device does not hold. */
function withFigures(data: BrandData, mine: boolean, stop: () => void): () => void {
  void askBoard(data, mine)
  const stopHearing = data.hearStirs((table) => table === 'deals' && void askBoard(data, mine))
  return () => {
    stopHearing()
    stop()
  }
}

function isKnown(data: BrandData, mine: boolean): boolean {
  const state = data.state.get()
  if (!data.loaded.get()) return false
  if (data.tables.deal_stages.size === 0) return data.answered.get()
  return isComplete(state, 'deals') || boardFigures(state, mine) !== null || data.answered.get()
}

function whole(data: BrandData, stage: DealStage, sums: Sums = new Map(), pages: StagePages): Content {
  const rows = pages.rows(stage.id) ?? dealsByStage(data).rows(stage.id)
  return { stage, rows, count: Math.max(countOf(sums), rows.length), totals: moneyOf(sums) }
}

function searched(data: BrandData, stage: DealStage, isShown: (deal: Deal) => boolean): Content {
  const rows = dealsByStage(data).rows(stage.id).filter(isShown)
  const sums: Sums = new Map()
  for (const deal of rows) addAmount(sums, deal.amount_currency, deal.amount, 1)
  return { stage, rows, count: rows.length, totals: moneyOf(sums) }
}

const contents = new WeakMap<BoardColumn, Content>()

function makeColumn(data: BrandData, content: Content, pages: StagePages | null): BoardColumn {
  const { stage, rows, count, totals } = content
  const column: BoardColumn = {
    stage,
    count,
    totals,
    at: (index) => {
      const deal = rows[index]
      if (!deal) pages?.want(stage.id, index)
      return deal ? cardOf(data, deal) : undefined
    },
    indexOf: (dealId) => rows.findIndex((deal) => deal?.id === dealId),
  }
  contents.set(column, content)
  return column
}

function sameColumn(board: Board | undefined, next: Content): BoardColumn | undefined {
  const column = board?.columns.find((candidate) => candidate.stage === next.stage)
  const present = column && contents.get(column)
  if (!present || present.count !== next.count || present.rows.length !== next.rows.length) return undefined
  if (present.rows !== next.rows && present.rows.some((row, index) => row !== next.rows[index])) return undefined
  return JSON.stringify(present.totals) === JSON.stringify(next.totals) ? column : undefined
}

function pipelineOf(stages: readonly DealStage[], totals: Map<string, Sums>): Money[] {
  const pipeline: Sums = new Map()
  for (const stage of stages) {
    if (!isOpenStage(stage)) continue
    for (const [currency, sum] of totals.get(stage.id) ?? []) {
      addAmount(pipeline, currency, sum.hundredths / 100, 1, sum.count)
    }
  }
  return moneyOf(pipeline)
}
