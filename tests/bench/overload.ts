/**
 * `npm run bench:overload`: 200 users of 20 brands work at a usual pace, then send five times what the server can do, one of them alone half of it,
 * then work at the usual pace again. Prints what was answered how fast, what was refused, how evenly, and whether each row that the server confirmed to
 * have added is there once. `--seconds` a phase (default 20), `--pace` requests per second of the usual pace (default 200), DATABASE_URL as in `npm run bench`.
 */
import { cpus } from 'node:os'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { officialClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { fill } from './bench-data.ts'
import { newId, type PacedOrder, type PacedReport, type PacedRequest } from './paced-order.ts'
import { embeddedUrl, wireText } from './run-load.ts'

const seconds = Number(option('--seconds') ?? 20)
const pace = Number(option('--pace') ?? 200)
const brandCount = 20
const usersOfBrand = 10
const rowsOfBrand = 500

const server = await startTestServer({
  run: 'process',
  ...(process.env.DATABASE_URL ? { databaseUrl: process.env.DATABASE_URL } : { databaseKind: 'embedded' }),
})
try {
  await measure(server)
} finally {
  await server.stop()
}

async function measure({ url, publishableKey, databaseUrl, dataDir }: TestServer): Promise<void> {
  const owner = new pg.Pool({ connectionString: databaseUrl ?? embeddedUrl(dataDir), max: 2 })
  const users = await fillBrands(url, publishableKey, owner)
  const { hostname, port } = new URL(url)
  const run = (rate: number, lasts: number, shareOfFirst = 0) =>
    pacedLoad({ host: hostname, port: Number(port), rate, seconds: lasts, connections: 1_000, users, shareOfFirst })
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${seconds} s a phase\n\n`)
  process.stdout.write(
    'phase                  offered/s  taken/s  p50 ms  p99 ms  refused/s  p99 ms  other  not sent  fewest and most taken of a user\n',
  )
  const reports: PacedReport[] = []
  const phase = async (name: string, rate: number, lasts: number, shareOfFirst = 0) => {
    const report = await run(rate, lasts, shareOfFirst)
    reports.push(report)
    printPhase(name, rate, lasts, report)
    return report
  }
  await phase('usual pace', pace, seconds)
  const most = await phase('as much as it can', 50_000, Math.min(seconds, 10))
  const capacity = Math.round(taken(most) / Math.min(seconds, 10))
  await phase('five times that', capacity * 5, seconds)
  await phase('half by one user', capacity * 5, seconds, 0.5)
  await phase('first 5 s after', pace, 5)
  await phase('usual pace again', pace, seconds)
  await checkAdded(owner, reports)
  await owner.end()
}

function printPhase(name: string, rate: number, lasts: number, report: PacedReport): void {
  const refused = (report.statuses['503'] ?? 0) + (report.statuses['429'] ?? 0)
  const all = Object.values(report.statuses).reduce((sum, count) => sum + count, 0)
  const [first = 0, ...others] = report.accepted
  const cells = [
    name.padEnd(20),
    String(rate).padStart(12),
    (taken(report) / lasts).toFixed(0).padStart(9),
    report.p50.toFixed(1).padStart(8),
    report.p99.toFixed(1).padStart(8),
    (refused / lasts).toFixed(0).padStart(11),
    report.p99OfRefused.toFixed(1).padStart(8),
    String(all - refused - taken(report)).padStart(7),
    String(report.notSent).padStart(10),
    `  ${Math.min(...others)} to ${Math.max(...others)}; the first ${first}`,
  ]
  process.stdout.write(`${cells.join('')}\n`)
  if (report.withoutRetryAfter > 0) process.stdout.write(`  ${report.withoutRetryAfter} refusals without Retry-After\n`)
}

function taken({ statuses }: PacedReport): number {
  return Object.entries(statuses).reduce((sum, [status, count]) => sum + (status.startsWith('2') ? count : 0), 0)
}

/** Whether each row of an answered request is there once. */
async function checkAdded(owner: pg.Pool, reports: readonly PacedReport[]): Promise<void> {
  const added = reports.flatMap((report) => report.added)
  const { rows } = await owner.query<{ found: string; tasks: string }>(
    "select count(*) filter (where id = any ($1)) as found, count(*) as tasks from public.tasks where title = 'Call back'",
    [added],
  )
  const unanswered = reports.reduce((sum, { unknown }) => sum + unknown.length, 0)
  process.stdout.write(
    `\n${added.length} rows were acknowledged, ${rows[0]?.found} of them are there; ${rows[0]?.tasks} in all, ${unanswered} requests without an answer\n`,
  )
}

/** Twenty brands of ten members each; what each of the members asks. */
async function fillBrands(url: string, key: string, owner: pg.Pool): Promise<PacedRequest[][]> {
  const users: PacedRequest[][] = []
  for (let brand = 0; brand < brandCount; brand++) {
    const brandId = crypto.randomUUID()
    const members = await Promise.all(
      Array.from({ length: usersOfBrand }, async (_, place) => {
        const client = officialClient(url, key)
        const { data, error } = await client.auth.signUp({
          email: `user-${brand}-${place}-${Date.now()}@example.org`,
          password: 'correct horse',
        })
        if (error || !data.session) throw error ?? new Error('no session')
        return { client, userId: data.session.user.id, token: data.session.access_token }
      }),
    )
    const [founder, ...others] = members
    const { error } =
      (await founder?.client.from('brands').insert({ id: brandId, name: `Brand ${brand}`, slug: '' })) ?? {}
    if (error) throw new Error(error.message)
    for (const { userId } of others)
      await owner.query(
        "insert into public.memberships (brand_id, user_id, role, opened_at) values ($1, $2, 'member', now())",
        [brandId, userId],
      )
    await owner.query(fill(brandId, rowsOfBrand))
    const { rows: deals } = await owner.query<{ id: string }>(
      'select id from public.deals where brand_id = $1 limit 50',
      [brandId],
    )
    const { rows: stages } = await owner.query<{ id: string }>(
      'select id from public.deal_stages where brand_id = $1 order by position limit 4',
      [brandId],
    )
    for (const [place, { token }] of members.entries())
      users.push(requestsOf({ key, token, brandId, deals: deals.slice(place * 5, place * 5 + 5), stages }))
  }
  await owner.query('vacuum analyze')
  return users
}

interface Seat {
  key: string
  token: string
  brandId: string
  deals: { id: string }[]
  stages: { id: string }[]
}

/** A usual mix: six of ten requests ask for a list, two for what is new, one moves a deal, one adds a task. */
function requestsOf({ key, token, brandId, deals, stages }: Seat): PacedRequest[] {
  const headers = { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = (name: string, args: object) =>
    wireText({ method: 'POST', target: `rpc/${name}`, headers, body: JSON.stringify({ p_brand_id: brandId, ...args }) })
  const moves = deals.flatMap(({ id }) =>
    stages.map((stage) =>
      wireText({
        method: 'PATCH',
        target: `deals?id=eq.${id}&brand_id=eq.${brandId}&version=gte.0&select=*`,
        headers: { ...headers, prefer: 'return=representation' },
        body: JSON.stringify({ stage_id: stage.id }),
      }),
    ),
  )
  const task = { id: newId, brand_id: brandId, title: 'Call back', priority: 'normal', status: 'open' }
  const contacts = { table: 'contacts', order: 'newest', limit: 30, count: true }
  return [
    { text: call('read_queries', { p_queries: [contacts] }), weight: 4, adds: false },
    { text: call('board', {}), weight: 2, adds: false },
    { text: call('pull', { p_cursor: 'now' }), weight: 2, adds: false },
    ...moves.map((text) => ({ text, weight: 1 / moves.length, adds: false })),
    { text: wireText({ method: 'POST', target: 'tasks', headers, body: JSON.stringify(task) }), weight: 1, adds: true },
  ]
}

function pacedLoad(order: PacedOrder): Promise<PacedReport> {
  const script = join(import.meta.dirname, 'paced-load.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(order))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0
        ? resolve(JSON.parse(output) as PacedReport)
        : reject(new Error(`the load generator ended with ${code}`)),
    )
  })
}

function option(name: string): string | undefined {
  const place = process.argv.indexOf(name)
  return place < 0 ? undefined : process.argv[place + 1]
}
