/**
 * `npm run bench`: measures the app's operations on a brand of 10,000 contacts, at 1, 16 and 64 connections, and compares them with pgbench,
 * which runs the same SQL on the same database. Rounds alternate, so that other load affects both. Figures are medians. Then measures sign-in,
 * refresh, fan-out, start and memory, and prints the plans of the slowest operations. Needs pgbench. DATABASE_URL: an empty database of another
 * PostgreSQL. Default: the embedded one.
 *
 * `--size 10000`: contacts of the brand (or BENCH_SIZE). `--brands 20`: other brands (or BENCH_BRANDS). `--size-of-others 500`: contacts of each of
 * them. `--write`: puts the tables into docs/performance.md. Also `--seconds 2`, `--rounds 5`, `--connections 1,16,64`, `--only move`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type BenchBrand, fillBenchBrand } from './bench-brand.ts'
import { slowestPlan } from './bench-plans.ts'
import { asMarkdown, percent, type BenchReport, type ComparedFigure, writeReport } from './bench-report.ts'
import { benchRequests } from './bench-requests.ts'
import { measureFanOut, measureRefreshes, type ServiceFigure, measureSignIns } from './bench-service.ts'
import type { LoadReport } from './load.ts'
import { type PgbenchScript, preparePgbench } from './pgbench.ts'
import { processMegabytes } from './process-memory.ts'
import { processorTimes, processorTimeBetween } from './processor-time.ts'
import { embeddedDatabaseUrl, runLoad, median, requestText } from './run-load.ts'
import { compileForBench } from './statement-of.ts'
import { poolOf } from '../harness/pool-of.ts'

const size = Number(option('--size') ?? process.env.BENCH_SIZE ?? 10_000)
const others = Number(option('--brands') ?? process.env.BENCH_BRANDS ?? 20)
const contactsOfOthers = Number(option('--size-of-others') ?? 500)
const seconds = Number(option('--seconds') ?? 2)
const rounds = Number(option('--rounds') ?? 5)
const connectionCounts = (option('--connections') ?? '1,16,64').split(',').map(Number)
const only = option('--only')
const plansShown = 3
const sessionsOfOthers = 43

const dataDir = await mkdtemp(join(tmpdir(), 'banyan-bench-'))
try {
  const report = await bench()
  const markdown = asMarkdown(report)
  process.stdout.write(`\n${markdown}\n`)
  if (process.argv.includes('--write')) writeReport(markdown)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function bench(): Promise<BenchReport> {
  const server = await open()
  const owner = poolOf(databaseOf(server), 2)
  try {
    const data = await fillBenchBrand(server.url, server.publishableKey, owner, {
      contacts: size,
      others,
      contactsOfOthers,
    })
    const idle = processMegabytes(server.child?.pid)
    const { compared, scripts } = await compareAll(server, owner, data)
    const slowest = [...compared].sort((a, b) => b.p50 / b.connections - a.p50 / a.connections)
    const plans: BenchReport['plans'][number][] = []
    for (const name of [...new Set(slowest.map((one) => one.name))].slice(0, plansShown)) {
      const script = scripts.get(name)
      if (script) plans.push({ name, plan: await slowestPlan(owner, script) })
    }
    // After the plans, because the many sign-ins end the session in which the statements run.
    const service = only ? [] : await serviceFigures(server, data)
    const after = processMegabytes(server.child?.pid)
    const { rows } = await owner.query<{ server_version: string }>('show server_version')
    const heading = `A brand of ${size.toLocaleString('en-GB')} contacts beside ${others.toLocaleString('en-GB')} of ${contactsOfOthers.toLocaleString('en-GB')}; ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, PostgreSQL ${rows[0]?.server_version.split(' ')[0]}, ${rounds} rounds of ${seconds} s.`
    await owner.end()
    await server.stop()
    return { heading, compared, service, start: await startFigure(), memory: { idle, after }, plans }
  } catch (error) {
    await owner.end()
    await server.stop()
    throw error
  }
}

function open(): Promise<TestServer> {
  const { DATABASE_URL: databaseUrl } = process.env
  return startTestServer({ run: 'process', dataDir, ...(databaseUrl ? { databaseUrl } : { databaseKind: 'embedded' }) })
}

function databaseOf(server: TestServer): string {
  return server.databaseUrl ?? embeddedDatabaseUrl(server.dataDir)
}

async function compareAll(server: TestServer, owner: Pool, data: BenchBrand) {
  process.stdout.write('operation         connections  server/s  pgbench/s  ratio    p50 ms    p99 ms   refused\n')
  const caller = { apikey: server.publishableKey, authorization: `Bearer ${data.token}` }
  const { rows } = await owner.query<{ max_connections: string }>('show max_connections')
  // pgbench gets the connections that the server, the owner role and PostgreSQL itself do not use.
  const maxSessions = Number(rows[0]?.max_connections) - sessionsOfOthers
  const compared: ComparedFigure[] = []
  const scripts = new Map<string, PgbenchScript>()
  for (const operation of benchRequests(data)) {
    if (only && !operation.name.includes(only)) continue
    const requests = operation.requests.map((list) =>
      list.map((request) => ({ ...request, headers: { ...caller, ...request.headers } })),
    )
    const compiled = await Promise.all(
      requests.map((list) => Promise.all(list.map((request) => compileForBench(owner, request, data.token)))),
    )
    if (compiled[0]?.[0]) scripts.set(operation.name, compiled[0][0])
    const runPgbench = await preparePgbench(compiled)
    const texts = requests.map((list) => list.map(requestText))
    for (const connections of connectionCounts) {
      const ours: LoadReport[] = []
      const theirs: number[] = []
      for (let round = 0; round < rounds; round++) {
        ours.push(await runLoad(server.url, { connections, seconds, requests: texts, status: operation.status }))
        const order = {
          database: databaseOf(server),
          connections: Math.min(connections, maxSessions),
          seconds: Math.max(1, Math.round(seconds)),
        }
        theirs.push(await runPgbench(order))
      }
      compared.push(figure(operation.name, operation.status, connections, ours, theirs))
    }
  }
  return { compared, scripts }
}

function figure(name: string, status: number, connections: number, reports: LoadReport[], theirs: number[]) {
  // An overloaded server refuses some of the parallel requests of a person. Such a refusal is no failure of the run.
  const failure = reports.find((one) => one.failed > 0 && !/^HTTP\/1.1 (503|429)/.test(one.example ?? ''))
  if (failure) throw new Error(`${name}: ${failure.failed} responses were not ${status}: ${failure.example}`)
  const medianOf = (read: (report: LoadReport) => number) => median(reports.map(read))
  const compared: ComparedFigure = {
    name,
    connections,
    ours: medianOf(acceptedPerSecond),
    pgbench: median(theirs),
    refused: medianOf(refusedShare),
    ratio: median(reports.map((report, round) => acceptedPerSecond(report) / (theirs[round] ?? 1))),
    p50: medianOf(({ p50 }) => p50),
    p99: medianOf(({ p99 }) => p99),
  }
  const { ours, pgbench, ratio, refused, p50, p99 } = compared
  const cells = [
    ours.toFixed(0),
    pgbench.toFixed(0),
    ratio.toFixed(2),
    p50.toFixed(2),
    p99.toFixed(2),
    percent(refused),
  ]
  process.stdout.write(
    `${name.padEnd(18)}${String(connections).padStart(11)}${cells.map((cell) => cell.padStart(10)).join('')}\n`,
  )
  return compared
}

function refusedShare({ failed, responses }: LoadReport): number {
  return failed / Math.max(1, responses)
}

function acceptedPerSecond(report: LoadReport): number {
  return report.perSecond * (1 - refusedShare(report))
}

async function serviceFigures(server: TestServer, data: BenchBrand): Promise<ServiceFigure[]> {
  const figures: ServiceFigure[] = []
  for (const connections of connectionCounts) {
    // A password hash takes 34 MB: the server computes few at a time and refuses requests above the queue's limit.
    if (connections > 16) continue
    figures.push(await measureSignIns(server, data, connections, seconds))
    figures.push(await measureRefreshes(server, data, connections, seconds))
    figures.push(await measureFanOut(server, data, connections))
  }
  return figures
}

/** Measures a start with the filled database: the median of three. */
async function startFigure(): Promise<BenchReport['start']> {
  const starts: { ms: number; processorMs: number }[] = []
  for (let run = 0; run < 3; run++) {
    const at = performance.now()
    const server = await open()
    const ms = performance.now() - at
    const pids = server.child?.pid === undefined ? [] : [server.child.pid]
    starts.push({ ms, processorMs: processorTimeBetween(new Map(), processorTimes(pids)) / 1000 })
    await server.stop()
  }
  return { ms: median(starts.map(({ ms }) => ms)), processorMs: median(starts.map((one) => one.processorMs)) }
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
