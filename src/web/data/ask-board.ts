import { announceAnswers, storeAnsweredRows } from '#web/data/query/send-questions.ts'
import { isAnsweredHere } from '#web/data/query/is-answered-here.ts'
import { pageRows, type Query, queryKey } from '#web/data/query/query.ts'
import { reachable } from '#web/data/server/network.ts'
import type { CurrencySum, QueryAnswer } from '#web/data/server/read-queries.ts'
import type { Company, Contact, Deal, DealStage, Pipeline } from '#web/data/server/rows.ts'
import { rpc } from '#web/data/server/rpc.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Where } from '#web/data/query/list-options.ts'
import { stagesInOrder } from './deal-stages.ts'
import { pipelinesInOrder } from './pipelines.ts'

interface BoardAnswer {
  totals: (CurrencySum & { stage_id: string })[]
  /** Missing in the answer of an earlier version of the server. */
  pipelines?: Pipeline[]
  stages: DealStage[]
  deals: Deal[]
  contacts: Contact[]
  companies: Company[]
}

/** The owner whose deals the board shows. Null: deals without an owner. Undefined: all deals. */
export type BoardOwner = string | null | undefined

/**
 * Returns the query for the deals of a column of the board. `where`: more conditions that the deals must meet. With a search or more
 * conditions, the number and the sums of the deals are fetched in a separate request, because they may take longer than the first cards.
 */
export function columnQuery(stageId: string, search: string, owner: BoardOwner, where?: Where): Query<'deals'> {
  const ownerCondition = owner !== undefined && { owner_id: owner }
  return {
    table: 'deals',
    where: { stage_id: stageId, ...ownerCondition, ...where },
    search,
    figuresApart: search !== '' || where !== undefined,
  }
}

/**
 * Fetches the pipelines and stages, and the first page and the figures of each column of a pipeline (default: the first pipeline). This is one
 * request, because a new device does not know the stages yet. The response also answers the queries of the columns. Does nothing if this device has
 * all deals or the server is unreachable. Does nothing for deals without an owner, because the RPC `board` does not support them: each column then
 * sends its own request.
 */
export async function fetchBoardAhead(
  data: BrandData,
  owner: BoardOwner,
  pipeline: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  await data.stateKnown
  if (owner === null || signal.aborted || !reachable(data.device).get() || isAnsweredHere(data, { table: 'deals' }))
    return
  announceAnswers(data, {
    isFor: ({ where = {}, ...query }) => {
      const stageId = 'stage_id' in where ? where.stage_id : null
      const queryOfColumn = typeof stageId === 'string' && columnQuery(stageId, '', owner)
      return [pipelinesInOrder, stagesInOrder, queryOfColumn].some(
        (answeredQuery) => answeredQuery && queryKey(answeredQuery) === queryKey({ ...query, where }),
      )
    },
    answers: fetchBoard(data, owner, pipeline, signal),
  })
}

async function fetchBoard(
  data: BrandData,
  owner: string | undefined,
  pipeline: string | undefined,
  signal: AbortSignal,
): Promise<Map<string, QueryAnswer>> {
  const pipelineId = pipeline && (data.tables.deal_stages.get(pipeline)?.pipeline_id ?? pipeline)
  const args = {
    p_brand_id: data.brandId,
    p_cards: pageRows,
    p_owner_id: owner,
    ...(pipelineId && { p_pipeline_id: pipelineId }),
  }
  const stateBefore = data.state.get()
  const { totals, pipelines, stages, deals, contacts, companies } = await rpc<BoardAnswer>(
    data.device,
    data.userId,
    'board',
    args,
    signal,
  )
  // Contacts and companies are stored before the deals, so that no deal is shown without the names of its contact and company.
  await storeAnsweredRows(data, 'contacts', contacts, stateBefore)
  await storeAnsweredRows(data, 'companies', companies, stateBefore)
  await storeAnsweredRows(data, 'deals', deals, stateBefore)
  if (pipelines) await storeAnsweredRows(data, 'pipelines', pipelines, stateBefore)
  await storeAnsweredRows(data, 'deal_stages', stages, stateBefore)
  const answers = new Map<string, QueryAnswer>()
  const addAnswer = (query: Query, answer: QueryAnswer & { rows: AnyRow[]; total: number }) => {
    // With very many stages, `board` returns fewer cards than a page has.
    if (answer.rows.length === Math.min(answer.total, pageRows)) answers.set(queryKey(query), answer)
  }
  if (pipelines)
    addAnswer(pipelinesInOrder, {
      rows: pipelines,
      end: pageEnd(pipelines.at(-1), 'position'),
      total: pipelines.length,
    })
  addAnswer(stagesInOrder, { rows: stages, end: pageEnd(stages.at(-1), 'position'), total: stages.length })
  for (const { id } of stages) {
    const rows = deals.filter(({ stage_id: stageId }) => stageId === id)
    const sums = totals.filter(({ stage_id: stageId }) => stageId === id)
    const total = sums.reduce((count, sum) => count + sum.count, 0)
    addAnswer(columnQuery(id, '', owner), { rows, end: pageEnd(rows.at(-1), 'created_at'), total, sums })
  }
  return answers
}

/** Returns where the page after this row begins: the row's value in the column that orders the rows, and its id. Null without a row. */
function pageEnd<Row extends AnyRow>(row: Row | undefined, column: keyof Row): readonly unknown[] | null {
  return row ? [row[column], row.id] : null
}
