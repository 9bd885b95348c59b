import type { QueryAnswer, QueryAnswers, Question } from '#web/data/server/read-queries.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { fieldOf, listOf } from '#web/lib/read-unknown.ts'
import type { PreparedResponse, PreparedNetwork, SentRequest } from './prepared-network.ts'

const line = 'POST /rest/v1/rpc/read_queries'

/** Sets the server's results of queries. `named`: rows of other tables that the response also contains. */
export function answerQueries(
  network: PreparedNetwork,
  answer: (question: Question) => QueryAnswer,
  named: QueryAnswers['named'] = {},
): void {
  network.on(line, (request) => ({ body: { answers: questionsIn(request).map(answer), named } }))
}

/** Sets one response to all query requests. */
export function refuseQueries(network: PreparedNetwork, prepared: PreparedResponse): void {
  network.on(line, () => prepared)
}

/** Returns the queries of each request so far. */
export function askedIn(network: PreparedNetwork): Question[][] {
  return network.of(line).map(questionsIn)
}

/** Computes the result of a query on a server that has these rows, in the order of the list. */
export function answerOf(rows: readonly AnyRow[], question: Question): QueryAnswer {
  const { after, skip = 0, limit = 30, most = Number.POSITIVE_INFINITY } = question
  const start = after ? rows.findIndex(({ id }) => id === after[0]) + 1 + skip : skip
  const page = rows.slice(start, start + limit)
  const counted = { total: Math.min(rows.length, most), ...(rows.length > most && { more: true }) }
  return {
    ...(question.rows !== false && { rows: page, end: page.length === limit ? [page.at(-1)?.id] : null }),
    ...(question.count && counted),
  }
}

function questionsIn({ body }: SentRequest): Question[] {
  return listOf(fieldOf(body, 'p_queries')) as Question[]
}
