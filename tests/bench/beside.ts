/**
 * `npm run bench:beside -- FOLDER`: compares this checkout (ours) with another one (theirs, with installed dependencies), each with its own
 * embedded database. Rounds alternate, so that other load affects both. A ratio is the median of ours / theirs; 1 means equally fast.
 * `--seconds`, `--rounds`, `--only` (an operation's name).
 */
import { resolve } from 'node:path'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type BenchData, fillBench } from './bench-data.ts'
import type { LoadReport } from './load.ts'
import { appRequests, type Operation, operations } from './operations.ts'
import { embeddedDatabaseUrl, runLoad, median, requestText } from './run-load.ts'
import { poolOf } from '../harness/pool-of.ts'

interface Side {
  server: TestServer
  data: BenchData
}

const otherCheckout = process.argv[2]
if (otherCheckout === undefined || otherCheckout.startsWith('--')) {
  process.stderr.write('Usage: npm run bench:beside -- FOLDER (the folder of the other checkout)\n')
  process.exit(1)
}
const seconds = Number(option('--seconds') ?? 2)
const rounds = Number(option('--rounds') ?? 7)
const onlyOperation = option('--only')

const ourSide = await startSide()
const theirSide = await startSide(resolve(otherCheckout))
try {
  await compare(ourSide, theirSide)
} finally {
  await Promise.all([ourSide.server.stop(), theirSide.server.stop()])
}

async function startSide(checkout?: string): Promise<Side> {
  const server = await startTestServer({ run: 'process', databaseKind: 'embedded', ...(checkout ? { checkout } : {}) })
  const owner = poolOf(embeddedDatabaseUrl(server.dataDir), 2)
  const data = await fillBench(server.url, server.publishableKey, owner)
  await owner.end()
  return { server, data }
}

async function compare(ours: Side, theirs: Side): Promise<void> {
  process.stdout.write(`${rounds} rounds of ${seconds} s each\n\n`)
  process.stdout.write('operation   connections   ours/s  theirs/s  ratio (min-max)      p50 ms ours/theirs\n')
  const [ourOperations, theirOperations] = [ours, theirs].map(({ data }) => [...operations(data), ...appRequests(data)])
  for (const [index, operation] of (ourOperations ?? []).entries()) {
    if (onlyOperation !== undefined && operation.name !== onlyOperation) continue
    const theirOperation = theirOperations?.[index] ?? operation
    for (const connections of [1, 16]) {
      const pairs: { ours: LoadReport; theirs: LoadReport }[] = []
      for (let round = 0; round < rounds; round++) {
        // In even rounds this checkout runs first, in odd rounds the other one.
        const oursFirst = round % 2 === 0
        const firstReport = oursFirst ? await measureOperation(ours, operation, connections) : null
        const theirReport = await measureOperation(theirs, theirOperation, connections)
        pairs.push({ ours: firstReport ?? (await measureOperation(ours, operation, connections)), theirs: theirReport })
      }
      const ratios = pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond)
      const medianOf = (read: (pair: { ours: LoadReport; theirs: LoadReport }) => number, digits: number) =>
        median(pairs.map(read)).toFixed(digits)
      process.stdout.write(
        `${operation.name.padEnd(12)}${String(connections).padStart(11)}${medianOf((pair) => pair.ours.perSecond, 0).padStart(9)}${medianOf((pair) => pair.theirs.perSecond, 0).padStart(10)}${`  ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})`.padEnd(22)}${medianOf((pair) => pair.ours.p50, 2)} / ${medianOf((pair) => pair.theirs.p50, 2)}\n`,
      )
    }
  }
}

async function measureOperation(
  { server, data }: Side,
  operation: Omit<Operation, 'targetRatio'>,
  connections: number,
) {
  const callerHeaders = { apikey: server.publishableKey, authorization: `Bearer ${data.token}` }
  const requests = operation.requests.map((list) =>
    list.map((request) => requestText({ ...request, headers: { ...callerHeaders, ...request.headers } })),
  )
  const report = await runLoad(server.url, { connections, seconds, requests, status: operation.status })
  if (report.failed > 0)
    throw new Error(`${operation.name}: ${report.failed} responses were not ${operation.status}: ${report.example}`)
  return report
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
