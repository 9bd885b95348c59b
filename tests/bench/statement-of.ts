import type { IncomingHttpHeaders } from 'node:http'
import { decodeJwt } from 'jose'
import type pg from 'pg'
import { bindValues } from '#server/rest/bind-values.ts'
import { compile } from '#server/rest/compile.ts'
import { loadSchema } from '#server/rest/load-schema.ts'
import { parseRequest } from '#server/rest/parse-request.ts'
import type { PgbenchScript } from './pgbench.ts'

const maxRows = 1000

/** Returns the SQL that the server runs for a request, with its values: the statement that sets the caller's context, and the query. */
export async function compileForBench(
  owner: pg.Pool,
  request: { method: string; target: string; headers: IncomingHttpHeaders; body: string },
  token: string,
): Promise<PgbenchScript> {
  const [path = '', query = ''] = request.target.split('?')
  const parsed = parseRequest(
    {
      method: request.method,
      path: `/rest/v1/${path}`,
      query,
      headers: request.headers,
      body: Buffer.from(request.body),
      ip: '',
      id: '',
      signal: AbortSignal.timeout(60_000),
    },
    'public',
    maxRows,
  )
  const { built } = compile(parsed, await schemaOf(owner), maxRows)
  const claims = JSON.stringify(decodeJwt(token))
  return {
    context: {
      text: setContextSql,
      values: ['authenticated', claims, '{}', request.method, `/rest/v1/${path}`, '8000'],
    },
    statement: { text: built.text, values: bindValues(built.values, parsed.slots) },
  }
}

let schemaPromise: ReturnType<typeof loadSchema> | undefined

function schemaOf(owner: pg.Pool): ReturnType<typeof loadSchema> {
  schemaPromise ??= loadSchema(owner, 'public')
  return schemaPromise
}

/** A copy of the statement in `src/server/db/batch.ts` that sets the context of a request. */
const setContextSql = `select where set_config('role', $1, true) is null
  or set_config('request.jwt.claims', $2, true) is null
  or set_config('request.headers', $3, true) is null
  or set_config('request.method', $4, true) is null
  or set_config('request.path', $5, true) is null
  or set_config('statement_timeout', $6, true) is null`
