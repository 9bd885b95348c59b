import { type QueryAnswer, type QueryAnswers, type QueryRequest, readQueries } from '#web/data/server/read-queries.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { isAnswerOutdated, type BrandState } from '#web/data/store/brand-state.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { pageRows, queryKey } from './query.ts'

/** Questions that arrive within this time (ms) go into one request: usually all questions of one page of the app. */
const gatherMs = 4
const questionsPerRequest = 25

interface WaitingQuestion {
  question: QueryRequest
  signal: AbortSignal
  resolve: (answer: QueryAnswer) => void
  reject: (error: unknown) => void
}

/** `together`: the questions of the next request. `apart`: the questions about figures, which get a separate request (`isApart`). */
const waitingOf = perBrand((): Record<'together' | 'apart', WaitingQuestion[]> => ({ together: [], apart: [] }))

/** A query whose first page and figures an announced request may return. */
type FirstPage = Pick<QueryRequest, 'table' | 'where' | 'search' | 'order'>

/** The answers that a running request will return, by `queryKey`. `isFor` returns whether the request answers a query. */
interface ExpectedAnswers {
  isFor: (query: FirstPage) => boolean
  answers: Promise<ReadonlyMap<string, QueryAnswer>>
}

const expectedOf = perBrand(() => new Set<ExpectedAnswers>())

/**
 * Sends a question about a query to the server. When the promise resolves, the collections contain the rows of the answer, and the rows of
 * other tables to which the rows of the answer refer. Questions with `isApart` go into a separate request, so that the other questions of
 * the same moment do not wait for their answers. Rejects:
 * - with RpcError if the request fails,
 * - with an Error if the response has no answer to the question,
 * - with the reason of `signal` if the signal is aborted.
 */
export async function sendQuestion(
  data: BrandData,
  question: QueryRequest,
  signal: AbortSignal,
  isApart = false,
): Promise<QueryAnswer> {
  const query = firstPageOf(question)
  const expected = query && [...expectedOf(data)].find(({ isFor }) => isFor(query))
  // If the announced request fails or does not answer this query, the question is sent.
  const answers = await expected?.answers.catch(() => null)
  signal.throwIfAborted()
  return (query && answers?.get(queryKey(query))) ?? gatherQuestion(data, question, signal, isApart)
}

function firstPageOf({
  table,
  where = {},
  search = '',
  order = 'newest',
  after,
  skip,
  limit = pageRows,
}: QueryRequest) {
  return after || skip || limit !== pageRows ? null : { table, where, search, order }
}

/**
 * Announces that a request will return the first pages and figures of some queries. Questions about these queries then wait for that
 * request instead of being sent.
 */
export function announceAnswers(data: BrandData, expected: ExpectedAnswers): void {
  const all = expectedOf(data)
  const stopExpecting = () => {
    all.delete(expected)
    stop()
  }
  // A change on the server makes the announced answers stale.
  const stop = data.onInvalidate(stopExpecting)
  all.add(expected)
  expected.answers.catch(() => {}).finally(() => data.device.clock.setTimeout(stopExpecting, gatherMs))
}

function gatherQuestion(
  data: BrandData,
  question: QueryRequest,
  signal: AbortSignal,
  isApart: boolean,
): Promise<QueryAnswer> {
  return new Promise((resolve, reject) => {
    const waiting = waitingOf(data)[isApart ? 'apart' : 'together']
    waiting.push({ question, signal, resolve, reject })
    if (waiting.length > 1) return
    data.device.clock.setTimeout(() => {
      const all = waiting.splice(0)
      for (let start = 0; start < all.length; start += questionsPerRequest)
        void sendTogether(data, all.slice(start, start + questionsPerRequest))
    }, gatherMs)
  })
}

async function sendTogether(data: BrandData, waiting: readonly WaitingQuestion[]): Promise<void> {
  const unaborted = waiting.filter(({ signal }) => !signal.aborted)
  for (const { signal, reject } of waiting) if (signal.aborted) reject(signal.reason)
  if (unaborted.length === 0) return
  const abort = new AbortController()
  const abortIfUnwanted = () => unaborted.every(({ signal }) => signal.aborted) && abort.abort()
  for (const { signal } of unaborted) signal.addEventListener('abort', abortIfUnwanted)
  try {
    const merged = mergedQuestions(unaborted)
    const [keys, questions] = [[...merged.keys()], [...merged.values()]]
    const before = data.state.get()
    const answers = await readQueries(data.device, data, questions, abort.signal)
    await storeAnswers(data, questions, answers, before)
    for (const { question, resolve, reject, signal } of unaborted) {
      const answer = answers.answers[keys.indexOf(mergeKey(question))]
      if (answer && !signal.aborted) resolve(answer)
      else reject(signal.reason ?? new Error('The response has no answer to this question.'))
    }
  } catch (error) {
    // If the server refuses one question, or if all answers together are too large, each question is sent alone, so that the others do not
    // fail.
    if (unaborted.length > 1 && error instanceof RpcError && !error.isTemporary && !abort.signal.aborted)
      for (const each of unaborted) void sendTogether(data, [each])
    else for (const { reject } of unaborted) reject(error)
  } finally {
    for (const { signal } of unaborted) signal.removeEventListener('abort', abortIfUnwanted)
  }
}

/** Merges the questions about one query (about its first page and about its figures) into one question. */
function mergedQuestions(waiting: readonly WaitingQuestion[]): Map<string, QueryRequest> {
  const questions = new Map<string, QueryRequest>()
  for (const { question } of waiting) {
    const key = mergeKey(question)
    const other = questions.get(key)
    const rows = other?.rows !== false || question.rows !== false
    const count = Boolean(other?.count || question.count)
    // Figures must be exact, so the server must not stop counting as it does for a list.
    const most = other?.most && question.most
    questions.set(key, other ? { ...other, ...question, rows, count, most } : question)
  }
  return questions
}

function mergeKey(question: QueryRequest): string {
  const beginning = firstPageOf(question)
  return beginning ? queryKey(beginning) : JSON.stringify(question)
}

/**
 * Stores the rows of the answers. Rows that other rows refer to are stored first, so that no row is shown without the names that it refers
 * to.
 */
async function storeAnswers(
  data: BrandData,
  questions: readonly QueryRequest[],
  { answers, named }: QueryAnswers,
  before: BrandState,
) {
  for (const [table, rows] of Object.entries(named)) await storeAnsweredRows(data, table as TableName, rows, before)
  const byTable = new Map<TableName, AnyRow[]>()
  questions.forEach(({ table }, index) => {
    const rows = answers[index]?.rows ?? []
    byTable.set(table, [...(byTable.get(table) ?? []), ...rows])
  })
  for (const [table, rows] of byTable) await storeAnsweredRows(data, table, rows, before)
}

/**
 * Stores the rows of an answer. `before`: the state of the brand at the time of the request. Stores nothing if the answer is outdated
 * (`isAnswerOutdated`). Leaves out rows whose deletion is newer than the answer. Resolves when screens can show the rows.
 */
export async function storeAnsweredRows(
  data: BrandData,
  table: TableName,
  rows: readonly AnyRow[],
  before: BrandState,
): Promise<void> {
  if (isAnswerOutdated(before, data.state.get(), table)) return
  const { userId, brandId } = data
  return storeRows(data.device, { userId, brandId, table, rows }, { mayResolveWhenShown: true })
}
