/**
 * `npm run bench:overload`: 200 users of 20 brands work at a usual pace, then at rising rates, until the server accepts less than half of the
 * requests: the highest rate of accepted requests is its capacity. Then the users send five times the capacity. In a second phase at this rate one
 * user sends half of the requests. Then all work at the usual pace again. Prints the rates and delays of accepted and refused requests, the fairness
 * between users, the delays on new and on used connections, and whether each row that the server confirmed exists once.
 *
 * `--seconds` per phase (default 20), `--pace` requests per second at the usual pace (default 200), DATABASE_URL as in `npm run bench`.
 * `--two-brands`: one brand of 180 users and one of 20. `--steady 600`: only the usual pace, for this number of seconds (if more than 60: rounded up
 * to whole minutes), with the server's memory.
 * `--checkout FOLDER`: the server of another checkout, with installed dependencies.
 */
import { cpus } from 'node:os'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { fillBrands } from './overload-brands.ts'
import type { PacedOrder, PacedReport } from './paced-order.ts'
import { processMegabytes } from './process-memory.ts'
import { processorTimes, processorTimeBetween } from './processor-time.ts'
import { embeddedDatabaseUrl } from './run-load.ts'
import { poolOf } from '../harness/pool-of.ts'

const seconds = Number(option('--seconds') ?? 20)
const usualRate = Number(option('--pace') ?? 200)
const steadySeconds = Number(option('--steady') ?? 0)
const isTwoBrands = process.argv.includes('--two-brands')
/** Number of members of each brand. */
const memberCounts = isTwoBrands ? [180, 20] : Array.from({ length: 20 }, () => 10)

const server = await startTestServer({
  run: 'process',
  ...(option('--checkout') ? { checkout: option('--checkout') } : {}),
  ...(process.env.DATABASE_URL ? { databaseUrl: process.env.DATABASE_URL } : { databaseKind: 'embedded' }),
})
try {
  await measure(server)
} finally {
  await server.stop()
}

async function measure({ url, publishableKey, databaseUrl, dataDir, child }: TestServer): Promise<void> {
  const owner = poolOf(databaseUrl ?? embeddedDatabaseUrl(dataDir), 2)
  const requestsByUser = await fillBrands(url, publishableKey, owner, memberCounts)
  const { hostname, port } = new URL(url)
  const sendAtRate = (rate: number, phaseSeconds: number, shareOfFirst = 0) =>
    pacedLoad({
      host: hostname,
      port: Number(port),
      rate,
      seconds: phaseSeconds,
      connections: 1_000,
      users: requestsByUser,
      shareOfFirst,
    })
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${seconds} s per phase\n\n`)
  process.stdout.write(
    'phase                  offered/s  accepted/s  p50 ms  p99 ms  refused/s  p99 ms  other  not sent  fewest and most accepted of a user\n',
  )
  const reports: PacedReport[] = []
  const phase = async (name: string, rate: number, phaseSeconds: number, shareOfFirst = 0) => {
    const pids = child?.pid === undefined ? [] : [child.pid]
    const before = processorTimes(pids)
    const report = await sendAtRate(rate, phaseSeconds, shareOfFirst)
    reports.push(report)
    printPhase(name, rate, phaseSeconds, report)
    const responses = sum(Object.values(report.statuses))
    const msPerResponse = processorTimeBetween(before, processorTimes(pids)) / 1000 / Math.max(1, responses)
    process.stdout.write(
      `  ${msPerResponse.toFixed(2)} ms of the server's processor time for each of ${responses} responses\n`,
    )
    return report
  }
  for (let passed = 0; passed < steadySeconds; passed += 60) {
    await phase(`minute ${passed / 60 + 1}`, usualRate, Math.min(60, steadySeconds - passed))
    process.stdout.write(`  memory of the server: ${processMegabytes(child?.pid).toFixed(0)} MB\n`)
  }
  if (steadySeconds > 0) {
    await checkAdded(owner, reports)
    await owner.end()
    return
  }
  await phase('usual pace', usualRate, seconds)
  const capacity = await findCapacity(phase)
  await phase('five times capacity', capacity * 5, seconds)
  await phase('half by one user', capacity * 5, seconds, 0.5)
  await phase('first 5 s after', usualRate, 5)
  await phase('usual pace again', usualRate, seconds)
  await checkAdded(owner, reports)
  await owner.end()
}

/**
 * Finds how many requests per second the server accepts at most: doubles the offered rate until less than half of the requests are accepted, and
 * returns the highest rate of accepted requests.
 */
async function findCapacity(
  phase: (name: string, rate: number, phaseSeconds: number) => Promise<PacedReport>,
): Promise<number> {
  const probeSeconds = Math.min(seconds, 8)
  let capacity = 0
  for (let rate = usualRate * 2; ; rate *= 2) {
    const accepted = acceptedCount(await phase('capacity', rate, probeSeconds)) / probeSeconds
    capacity = Math.max(capacity, Math.round(accepted))
    if (accepted < rate / 2) return capacity
  }
}

function printPhase(name: string, rate: number, phaseSeconds: number, report: PacedReport): void {
  const refusedCount = (report.statuses['503'] ?? 0) + (report.statuses['429'] ?? 0)
  const responseCount = Object.values(report.statuses).reduce((sum, count) => sum + count, 0)
  const [first = 0, ...others] = report.accepted
  const cells = [
    name.padEnd(20),
    String(rate).padStart(12),
    (acceptedCount(report) / phaseSeconds).toFixed(0).padStart(12),
    report.p50.toFixed(1).padStart(8),
    report.p99.toFixed(1).padStart(8),
    (refusedCount / phaseSeconds).toFixed(0).padStart(11),
    report.p99OfRefused.toFixed(1).padStart(8),
    String(responseCount - refusedCount - acceptedCount(report)).padStart(7),
    String(report.notSent).padStart(10),
    isTwoBrands
      ? `  of the large brand ${sum(report.accepted.slice(0, memberCounts[0]))}, of the small one ${sum(report.accepted.slice(memberCounts[0]))}`
      : `  ${Math.min(...others)} to ${Math.max(...others)}; the first ${first}`,
  ]
  process.stdout.write(`${cells.join('')}\n`)
  if (!isTwoBrands) process.stdout.write(`  p99 of all users but the first: ${report.p99OfOthers.toFixed(1)} ms\n`)
  process.stdout.write(
    `  p99 of first requests on new connections: ${report.p99OfFirst.toFixed(1)} ms, of later ones: ${report.p99OfLater.toFixed(1)} ms\n`,
  )
  if (report.withoutRetryAfter > 0) process.stdout.write(`  ${report.withoutRetryAfter} refusals without Retry-After\n`)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function acceptedCount({ statuses }: PacedReport): number {
  return Object.entries(statuses).reduce((sum, [status, count]) => sum + (status.startsWith('2') ? count : 0), 0)
}

/** Prints how many rows the server confirmed, how many of them exist, and how many exist in total: this shows lost and duplicate rows. */
async function checkAdded(owner: Pool, reports: readonly PacedReport[]): Promise<void> {
  const added = reports.flatMap((report) => report.added)
  const { rows } = await owner.query<{ found: string; tasks: string }>(
    "select count(*) filter (where id = any ($1)) as found, count(*) as tasks from public.tasks where title = 'Call back'",
    [added],
  )
  const withoutResponse = reports.reduce((sum, { unknown }) => sum + unknown.length, 0)
  process.stdout.write(
    `\n${added.length} rows were confirmed, ${rows[0]?.found} of them exist; ${rows[0]?.tasks} in total, ${withoutResponse} requests without a response\n`,
  )
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
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
