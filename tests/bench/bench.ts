/**
 * `npm run bench`: measures the app's operations on a brand of 10,000 contacts, at 1, 16 and 64 connections, and compares them with pgbench,
 * which runs the same SQL on the same database. Rounds alternate, so that other load affects both. Figures are medians. Also measures sign-in,
 * refresh, fan-out, start and memory, and prints the plans of the slowest operations. Needs pgbench. DATABASE_URL: an empty database of another
 * PostgreSQL. Default: the embedded PostgreSQL.
 *
 * `--size 10000`: contacts of the brand (or BENCH_SIZE). `--brands 20`: other brands (or BENCH_BRANDS). `--size-of-others 500`: contacts of each of
 * them. `--write`: puts the tables into docs/performance.md. Also `--seconds 2`, `--rounds 5`, `--connections 1,16,64`,
 * `--only move` (only the operations with this text in their name, without sign-in, refresh and fan-out).
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

const contactCount = Number(option('--size') ?? process.env.BENCH_SIZE ?? 10_000)
const otherBrandCount = Number(option('--brands') ?? process.env.BENCH_BRANDS ?? 20)
const contactsOfOthers = Number(option('--size-of-others') ?? 500)
const seconds = Number(option('--seconds') ?? 2)
const rounds = Number(option('--rounds') ?? 5)
const connectionCounts = (option('--connections') ?? '1,16,64').split(',').map(Number)
const onlyName = option('--only')
const printedPlanCount = 3
const reservedConnections = 43

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
  const server = await startServer()
  const owner = poolOf(databaseOf(server), 2)
  try {
    const data = await fillBenchBrand(server.url, server.publishableKey, owner, {
      contacts: contactCount,
      others: otherBrandCount,
      contactsOfOthers,
    })
    const memoryIdle = processMegabytes(server.child?.pid)
    const { compared, scripts } = await compareAll(server, owner, data)
    const bySlowness = [...compared].sort((a, b) => b.p50 / b.connections - a.p50 / a.connections)
    const plans: BenchReport['plans'][number][] = []
    for (const name of [...new Set(bySlowness.map((row) => row.name))].slice(0, printedPlanCount)) {
      const script = scripts.get(name)
      if (script) plans.push({ name, plan: await slowestPlan(owner, script) })
    }
    // Comes after the plans: the many sign-ins end the session whose claims the statements of the plans use.
    const service = onlyName ? [] : await serviceFigures(server, data)
    const memoryAfter = processMegabytes(server.child?.pid)
    const { rows } = await owner.query<{ server_version: string }>('show server_version')
    const heading = `A brand of ${contactCount.toLocaleString('en-GB')} contacts beside ${otherBrandCount.toLocaleString('en-GB')} of ${contactsOfOthers.toLocaleString('en-GB')}; ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, PostgreSQL ${rows[0]?.server_version.split(' ')[0]}, ${rounds} rounds of ${seconds} s.`
    await owner.end()
    await server.stop()
    return {
      heading,
      compared,
      service,
      start: await startFigure(),
      memory: { idle: memoryIdle, after: memoryAfter },
      plans,
    }
  } catch (error) {
    await owner.end()
    await server.stop()
    throw error
  }
}

function startServer(): Promise<TestServer> {
  const { DATABASE_URL: databaseUrl } = process.env
  return startTestServer({ run: 'process', dataDir, ...(databaseUrl ? { databaseUrl } : { databaseKind: 'embedded' }) })
}

function databaseOf(server: TestServer): string {
  return server.databaseUrl ?? embeddedDatabaseUrl(server.dataDir)
}

async function compareAll(server: TestServer, owner: Pool, data: BenchBrand) {
  process.stdout.write('operation         connections  server/s  pgbench/s  ratio    p50 ms    p99 ms   refused\n')
  const callerHeaders = { apikey: server.publishableKey, authorization: `Bearer ${data.token}` }
  const { rows } = await owner.query<{ max_connections: string }>('show max_connections')
  // Reserves connections for the server, the owner role and PostgreSQL itself. pgbench may use the others.
  const maxSessions = Number(rows[0]?.max_connections) - reservedConnections
  const compared: ComparedFigure[] = []
  const scripts = new Map<string, PgbenchScript>()
  for (const operation of benchRequests(data)) {
    if (onlyName && !operation.name.includes(onlyName)) continue
    const requests = operation.requests.map((requestsOfConnection) =>
      requestsOfConnection.map((request) => ({ ...request, headers: { ...callerHeaders, ...request.headers } })),
    )
    const compiled = await Promise.all(
      requests.map((requestsOfConnection) =>
        Promise.all(requestsOfConnection.map((request) => compileForBench(owner, request, data.token))),
      ),
    )
    if (compiled[0]?.[0]) scripts.set(operation.name, compiled[0][0])
    const runPgbench = await preparePgbench(compiled)
    const requestTexts = requests.map((requestsOfConnection) => requestsOfConnection.map(requestText))
    for (const connections of connectionCounts) {
      const loadReports: LoadReport[] = []
      const pgbenchRates: number[] = []
      for (let round = 0; round < rounds; round++) {
        loadReports.push(
          await runLoad(server.url, { connections, seconds, requests: requestTexts, status: operation.status }),
        )
        const pgbenchOrder = {
          database: databaseOf(server),
          connections: Math.min(connections, maxSessions),
          seconds: Math.max(1, Math.round(seconds)),
        }
        pgbenchRates.push(await runPgbench(pgbenchOrder))
      }
      compared.push(printComparison(operation.name, operation.status, connections, loadReports, pgbenchRates))
    }
  }
  return { compared, scripts }
}

function printComparison(
  name: string,
  status: number,
  connections: number,
  reports: LoadReport[],
  pgbenchRates: number[],
) {
  // An overloaded server refuses some of a person's parallel requests. If the first failed response is such a refusal, the run is valid.
  const failedReport = reports.find((report) => report.failed > 0 && !/^HTTP\/1.1 (503|429)/.test(report.example ?? ''))
  if (failedReport)
    throw new Error(`${name}: ${failedReport.failed} responses were not ${status}: ${failedReport.example}`)
  const medianOf = (read: (report: LoadReport) => number) => median(reports.map(read))
  const compared: ComparedFigure = {
    name,
    connections,
    ours: medianOf(acceptedPerSecond),
    pgbench: median(pgbenchRates),
    refused: medianOf(refusedShare),
    ratio: median(reports.map((report, round) => acceptedPerSecond(report) / (pgbenchRates[round] ?? 1))),
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
    // At most 16 connections: a password hash takes 34 MiB, so the server computes few at a time and refuses requests above the queue's limit.
    if (connections > 16) continue
    figures.push(await measureSignIns(server, data, connections, seconds))
    figures.push(await measureRefreshes(server, data, connections, seconds))
    figures.push(await measureFanOut(server, data, connections))
  }
  return figures
}

/** Starts the server three times with the filled database. Returns the medians. */
async function startFigure(): Promise<BenchReport['start']> {
  const starts: { ms: number; processorMs: number }[] = []
  for (let run = 0; run < 3; run++) {
    const startedAt = performance.now()
    const server = await startServer()
    const ms = performance.now() - startedAt
    const pids = server.child?.pid === undefined ? [] : [server.child.pid]
    starts.push({ ms, processorMs: processorTimeBetween(new Map(), processorTimes(pids)) / 1000 })
    await server.stop()
  }
  return { ms: median(starts.map(({ ms }) => ms)), processorMs: median(starts.map((figures) => figures.processorMs)) }
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
