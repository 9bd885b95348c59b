import * as fc from 'fast-check'
import { Agent, request as httpRequest } from 'node:http'
import type pg from 'pg'
import { authRequests } from './fuzz-auth.ts'
import { escapeText, type FuzzRequest, type FuzzTarget, restRequests } from './fuzz-requests.ts'

const maxParallel = 10
const maxResponseMs = 5000

export interface FuzzResult {
  requests: number
  statuses: Map<number, number>
}

/**
 * Sends random requests, ten at a time, with these headers. Fails with the simplest failing list of ten requests if a response is 5xx, takes more
 * than five seconds, or contains a stack trace or the server's SQL. After 15 minutes it sends no further requests, and does not fail.
 */
export async function fuzz(options: {
  url: string
  headers: Record<string, string>
  owner: pg.Pool
  requests: number
  seed: number
  /** Replaces the default mix of requests. */
  from?: fc.Arbitrary<FuzzRequest>
}): Promise<FuzzResult> {
  const target = await readTarget(options.owner)
  const agent = new Agent({ keepAlive: true, maxSockets: maxParallel })
  const statuses = new Map<number, number>()
  let sentCount = 0
  const anyRequest =
    options.from ?? fc.oneof({ arbitrary: restRequests(target), weight: 5 }, { arbitrary: authRequests(), weight: 1 })
  const property = fc.asyncProperty(
    fc.array(anyRequest, { minLength: maxParallel, maxLength: maxParallel }),
    async (requests) => {
      await Promise.all(
        requests.map(async (request) => {
          const response = await send(options.url, agent, {
            ...request,
            headers: { ...options.headers, ...request.headers },
          })
          sentCount++
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          const fault = faultOf(response)
          if (fault)
            throw new Error(`${fault}: ${describe(request)} -> ${response.status} ${response.body.slice(0, 500)}`)
        }),
      )
    },
  )
  try {
    await fc.assert(property, {
      numRuns: Math.ceil(options.requests / maxParallel),
      seed: options.seed,
      interruptAfterTimeLimit: 900_000,
    })
  } finally {
    agent.destroy()
  }
  return { requests: sentCount, statuses }
}

interface ReceivedResponse {
  status: number
  body: string
}

function faultOf({ status, body }: ReceivedResponse): string | null {
  if (status >= 500) return 'a response of 5xx'
  if (/\n\s+at .+:\d+/.test(body) || body.includes('node_modules') || /\.ts:\d+/.test(body))
    return 'a stack trace in the body'
  if (ownSqlPattern.test(body)) return 'our SQL in the body'
  return null
}

/** Matches words of the server's own SQL that no sent value contains. */
const ownSqlPattern =
  /json_agg|json_to_record|row_to_json|set_config|with written|with called|"public"\."|pgrst116 rows/

function send(url: string, agent: Agent, request: FuzzRequest): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(url)
  const { method, path, headers, body } = request
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new Error(`${error.message}: ${describe(request)}`))
    const outgoing = httpRequest({
      hostname,
      port,
      agent,
      method,
      path: wirePath(path),
      headers: { ...headers, 'content-length': body === null ? 0 : Buffer.byteLength(body) },
    })
    outgoing.setTimeout(maxResponseMs, () => outgoing.destroy(new Error(`no response within ${maxResponseMs} ms`)))
    outgoing.on('error', fail)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    })
    outgoing.end(body ?? undefined)
  })
}

/** Escapes spaces, control characters and all non-ASCII characters: Node refuses to send most of them. Other ASCII is unchanged. */
function wirePath(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, escapeText)
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path.slice(0, 600)} ${JSON.stringify(headers).slice(0, 400)} ${(body ?? '').slice(0, 400)}`
}

/** Reads tables, columns, functions and arguments from the catalogue. */
async function readTarget(owner: pg.Pool): Promise<FuzzTarget> {
  const { rows: relations } = await owner.query<FuzzTarget['relations'][number]>(
    `select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' group by table_name order by table_name`,
  )
  const { rows: functions } = await owner.query<FuzzTarget['functions'][number]>(
    `select p.proname::text as name, coalesce(p.proargnames, '{}') as args from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
        and not p.proname in ('sleep', 'fail') order by p.proname`,
  )
  return { relations, functions: functions.length > 0 ? functions : [{ name: 'nothing', args: [] }] }
}
