import { type QueryAnswer, type QueryAnswers, type Question, readQueries } from '#web/data/server/read-queries.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { pageRows, queryKey } from './query.ts'

/** Questions of so many milliseconds travel in one request: those of one page of the app. */
const gatherMs = 4
const questionsPerRequest = 25

interface Waiting {
  question: Question
  signal: AbortSignal
  resolve: (answer: QueryAnswer) => void
  reject: (error: unknown) => void
}

/** Questions that go with the next request, and figures that have one of their own. */
const waitingOf = perBrand((): Record<'together' | 'apart', Waiting[]> => ({ together: [], apart: [] }))

/** The query whose first page or figures are asked for. */
type Beginning = Pick<Question, 'table' | 'where' | 'search' | 'order'>

/** Answers, by `queryKey`, that come with what was asked otherwise. */
interface Coming {
  isFor: (query: Beginning) => boolean
  answers: Promise<ReadonlyMap<string, QueryAnswer>>
}

const comingOf = perBrand(() => new Set<Coming>())

/**
 * Asks the server about a query. Its rows, and those of other tables that they name, are in the collections when this resolves.
 * Rejects with RpcError, or an AbortError once `signal` is aborted. `isApart`: what is asked at the same time does not wait for the answer.
 */
export async function askQuery(
  data: BrandData,
  question: Question,
  signal: AbortSignal,
  isApart = false,
): Promise<QueryAnswer> {
  const query = beginningOf(question)
  const coming = query && [...comingOf(data)].find(({ isFor }) => isFor(query))
  // What does not come so is asked for by itself.
  const answers = await coming?.answers.catch(() => null)
  signal.throwIfAborted()
  return (query && answers?.get(queryKey(query))) ?? askWithOthers(data, question, signal, isApart)
}

function beginningOf({ table, where = {}, search = '', order = 'newest', after, skip, limit = pageRows }: Question) {
  return after || skip || limit !== pageRows ? null : { table, where, search, order }
}

/** Announces answers to the first pages and figures of queries, so that those asked until they are here are not asked of the server. */
export function announceAnswers(data: BrandData, coming: Coming): void {
  const all = comingOf(data)
  const forget = () => {
    all.delete(coming)
    stop()
  }
  // What changes on the server makes them old.
  const stop = data.onInvalidate(forget)
  all.add(coming)
  coming.answers.catch(() => {}).finally(() => data.device.clock.setTimeout(forget, gatherMs))
}

function askWithOthers(
  data: BrandData,
  question: Question,
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
        void askTogether(data, all.slice(start, start + questionsPerRequest))
    }, gatherMs)
  })
}

async function askTogether(data: BrandData, asked: readonly Waiting[]): Promise<void> {
  const wanted = asked.filter(({ signal }) => !signal.aborted)
  for (const { signal, reject } of asked) if (signal.aborted) reject(signal.reason)
  if (wanted.length === 0) return
  const abort = new AbortController()
  const abortIfUnwanted = () => wanted.every(({ signal }) => signal.aborted) && abort.abort()
  for (const { signal } of wanted) signal.addEventListener('abort', abortIfUnwanted)
  try {
    const merged = mergedQuestions(wanted)
    const [keys, questions] = [[...merged.keys()], [...merged.values()]]
    const answers = await readQueries(data.device, data, questions, abort.signal)
    await showAnswers(data, questions, answers)
    for (const { question, resolve, reject, signal } of wanted) {
      const answer = answers.answers[keys.indexOf(mergeKey(question))]
      if (answer && !signal.aborted) resolve(answer)
      else reject(signal.reason ?? new Error('The server left a question out.'))
    }
  } catch (error) {
    // One question that the server refuses, or an answer that is too large together, does not fail the others.
    if (wanted.length > 1 && error instanceof RpcError && !error.isTemporary && !abort.signal.aborted)
      for (const each of wanted) void askTogether(data, [each])
    else for (const { reject } of wanted) reject(error)
  } finally {
    for (const { signal } of wanted) signal.removeEventListener('abort', abortIfUnwanted)
  }
}

/** What is asked of one query, its first page and its figures, is one question. */
function mergedQuestions(asked: readonly Waiting[]): Map<string, Question> {
  const questions = new Map<string, Question>()
  for (const { question } of asked) {
    const key = mergeKey(question)
    const other = questions.get(key)
    const rows = other?.rows !== false || question.rows !== false
    const count = Boolean(other?.count || question.count)
    // A figure is exact: it is not cut off where a list is.
    const most = other?.most && question.most
    questions.set(key, other ? { ...other, ...question, rows, count, most } : question)
  }
  return questions
}

function mergeKey(question: Question): string {
  const beginning = beginningOf(question)
  return beginning ? queryKey(beginning) : JSON.stringify(question)
}

/** First what rows name, so that a row is never shown without its names. */
async function showAnswers(data: BrandData, questions: readonly Question[], { answers, named }: QueryAnswers) {
  for (const [table, rows] of Object.entries(named)) await showAnswered(data, table as TableName, rows)
  const byTable = new Map<TableName, AnyRow[]>()
  questions.forEach(({ table }, index) => {
    const rows = answers[index]?.rows ?? []
    byTable.set(table, [...(byTable.get(table) ?? []), ...rows])
  })
  for (const [table, rows] of byTable) await showAnswered(data, table, rows)
}

/** Without rows that were deleted a moment ago: the answer may be older than the deletion. Resolves when they can be shown. */
export function showAnswered(data: BrandData, table: TableName, rows: readonly AnyRow[]): Promise<void> {
  const { userId, brandId, recentlyDeleted } = data
  const present = rows.filter((row) => !recentlyDeleted.has(row.id))
  return storeRows(data.device, { userId, brandId, table, rows: present }, { untilShown: true })
}
