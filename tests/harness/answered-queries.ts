import type { QueryAnswer, QueryAnswers, QueryRequest } from '#web/data/server/read-queries.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { fieldOf, listOf } from '#web/lib/read-unknown.ts'
import type { PreparedResponse, PreparedNetwork, SentRequest } from './prepared-network.ts'

const queriesLine = 'POST /rest/v1/rpc/read_queries'

/**
 * Responds to requests of `read_queries` from now on. `answer` returns the result of one query. `named`: the rows of other tables that the
 * response also contains, because the returned rows refer to them.
 */
export function respondWith(
  network: PreparedNetwork,
  answer: (query: QueryRequest) => QueryAnswer,
  named: QueryAnswers['named'] = {},
): void {
  network.on(queriesLine, (request) => ({ body: { answers: queriesIn(request).map(answer), named } }))
}

/** Responds to all requests of `read_queries` from now on with this response, usually a refusal. */
export function respondToQueries(network: PreparedNetwork, prepared: PreparedResponse): void {
  network.on(queriesLine, () => prepared)
}

/** Returns the queries of each request so far. */
export function sentQueries(network: PreparedNetwork): QueryRequest[][] {
  return network.of(queriesLine).map(queriesIn)
}

/**
 * Returns the result of a query on a server whose table has only these rows. `rows`: must already be in the order of the query. This function
 * ignores the filters, search and order of the query.
 */
export function answerOf(rows: readonly AnyRow[], query: QueryRequest): QueryAnswer {
  const { after, skip = 0, limit = 30, most = Number.POSITIVE_INFINITY } = query
  const start = after ? rows.findIndex(({ id }) => id === after[0]) + 1 + skip : skip
  const page = rows.slice(start, start + limit)
  const totals = { total: Math.min(rows.length, most), ...(rows.length > most && { more: true }) }
  return {
    ...(query.rows !== false && { rows: page, end: page.length === limit ? [page.at(-1)?.id] : null }),
    ...(query.count && totals),
  }
}

function queriesIn({ body }: SentRequest): QueryRequest[] {
  return listOf(fieldOf(body, 'p_queries')) as QueryRequest[]
}
