/**
 * `npm run bench`: compares the REST interface (ours) with pgbench (theirs), with the same SQL on the same database. Rounds alternate, so that
 * other load affects both. The ratios are medians. `--seconds`, `--rounds`.
 */
import { cpus } from 'node:os'
import { Pool } from 'pg'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { fillBench } from './bench-data.ts'
import type { LoadReport } from './load.ts'
import { preparePgbench } from './pgbench.ts'
import { type Operation, operations } from './operations.ts'
import { embeddedUrl, load, median, wireText } from './run-load.ts'
import { compileForBench } from './statement-of.ts'

const seconds = Number(option('--seconds') ?? 2)
const rounds = Number(option('--rounds') ?? 5)

const server = await startTestServer({
  run: 'process',
  ...(process.env.DATABASE_URL ? { databaseUrl: process.env.DATABASE_URL } : { databaseKind: 'embedded' }),
})
try {
  await bench(server)
} finally {
  await server.stop()
}

async function bench({ url, publishableKey, databaseUrl, dataDir }: TestServer): Promise<void> {
  const database = databaseUrl ?? embeddedUrl(dataDir)
  const owner = new Pool({ connectionString: database, max: 2 })
  const data = await fillBench(url, publishableKey, owner)
  process.stdout.write(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${rounds} rounds of ${seconds} s\n\n`,
  )
  process.stdout.write('operation  connections   REST/s  pgbench/s  ratio (min-max)      aim   p50 ms   p99 ms\n')
  for (const operation of operations(data)) {
    const caller = { apikey: publishableKey, authorization: `Bearer ${data.token}` }
    const requests = operation.requests.map((list) =>
      list.map((request) => ({ ...request, headers: { ...caller, ...request.headers } })),
    )
    const scripts = await Promise.all(
      requests.map((list) => Promise.all(list.map((request) => compileForBench(owner, request, data.token)))),
    )
    const runPgbench = await preparePgbench(scripts)
    const wire = requests.map((list) => list.map(wireText))
    for (const connections of [1, 16]) {
      const ours: LoadReport[] = []
      const theirs: number[] = []
      for (let round = 0; round < rounds; round++) {
        ours.push(await load(url, { connections, seconds, requests: wire, status: operation.status }))
        theirs.push(await runPgbench({ database, connections, seconds: Math.max(1, Math.round(seconds)) }))
      }
      report(operation, connections, ours, theirs)
    }
  }
  await owner.end()
}

function report(operation: Operation, connections: number, ours: LoadReport[], theirs: number[]): void {
  const failure = ours.find((one) => one.failed > 0)
  if (failure)
    throw new Error(`${operation.name}: ${failure.failed} answers were not ${operation.status}: ${failure.example}`)
  const ratios = ours.map((one, round) => one.perSecond / (theirs[round] ?? 1))
  const cells = [
    operation.name.padEnd(11),
    String(connections).padStart(11),
    median(ours.map((one) => one.perSecond))
      .toFixed(0)
      .padStart(9),
    median(theirs).toFixed(0).padStart(11),
    `  ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})`.padEnd(20),
    operation.aim.toFixed(2).padStart(5),
    median(ours.map((one) => one.p50))
      .toFixed(2)
      .padStart(9),
    median(ours.map((one) => one.p99))
      .toFixed(2)
      .padStart(9),
  ]
  process.stdout.write(`${cells.join('')}\n`)
}

function option(name: string): string | undefined {
  const place = process.argv.indexOf(name)
  return place < 0 ? undefined : process.argv[place + 1]
}
