/**
 * `npm run bench:floor`: compares our server with a hand-written one (plain-server.ts), which responds to the same requests from plain tables in the
 * same PostgreSQL: the embedded one, or that of DATABASE_URL (an empty database). Rounds alternate. Ratios are ours / plain: of requests per second,
 * and of requests per second of processor time (the server and its database sessions), which other load on the machine affects less.
 * `--seconds`, `--rounds`, `--checkout` (the folder of another checkout, whose server is measured instead).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { fillBench } from './bench-data.ts'
import { operations } from './operations.ts'
import { createPlainTables } from './plain-tables.ts'
import { processorTimes, processorTimeBetween } from './processor-time.ts'
import { embeddedDatabaseUrl, runLoad, median, requestText } from './run-load.ts'

const seconds = Number(option('--seconds') ?? 2)
const rounds = Number(option('--rounds') ?? 7)
const checkout = option('--checkout')

const server = await startTestServer({
  run: 'process',
  ...(checkout ? { checkout: resolve(checkout) } : {}),
  ...(process.env.DATABASE_URL ? { databaseUrl: process.env.DATABASE_URL } : { databaseKind: 'embedded' }),
})
const startedProcesses: ChildProcess[] = []
try {
  await compare(server)
} finally {
  for (const child of startedProcesses) child.kill()
  await server.stop()
}

interface Run {
  perSecond: number
  perProcessorSecond: number
}

async function compare({ url, publishableKey, databaseUrl, dataDir, child }: TestServer): Promise<void> {
  const database = databaseUrl ?? embeddedDatabaseUrl(dataDir)
  const owner = new pg.Pool({ connectionString: database, max: 2, application_name: 'owner' })
  const data = await fillBench(url, publishableKey, owner)
  await createPlainTables(owner)
  await owner.query('vacuum analyze')
  const secret = randomBytes(32).toString('hex')
  const plainProcess = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'plain-server.ts')], {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: database, SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  startedProcesses.push(plainProcess)
  const [portLine] = (await once(plainProcess.stdout as NodeJS.EventEmitter, 'data')) as [Buffer]
  const sides = {
    ours: { url, token: data.token, pid: child?.pid ?? 0, sessions: "application_name not in ('plain', 'owner')" },
    plain: {
      url: `http://127.0.0.1:${portLine.toString().trim()}`,
      token: signToken(decodeJwt(data.token), secret),
      pid: plainProcess.pid ?? 0,
      sessions: "application_name = 'plain'",
    },
  }

  const processorTimesOf = async ({ pid, sessions }: (typeof sides)['ours']) => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and ${sessions}`,
    )
    return processorTimes([pid, ...rows.map((row) => row.pid)])
  }
  const run = async (
    side: (typeof sides)['ours'],
    operation: ReturnType<typeof operations>[number],
    connections: number,
  ): Promise<Run> => {
    const callerHeaders = { apikey: publishableKey, authorization: `Bearer ${side.token}` }
    const requests = operation.requests.map((list) =>
      list.map((request) => requestText({ ...request, headers: { ...callerHeaders, ...request.headers } })),
    )
    const before = await processorTimesOf(side)
    const report = await runLoad(side.url, { connections, seconds, requests, status: operation.status })
    const usedMicroseconds = processorTimeBetween(before, await processorTimesOf(side))
    if (report.failed > 0) throw new Error(`${operation.name}: ${report.failed} responses failed: ${report.example}`)
    return { perSecond: report.perSecond, perProcessorSecond: (report.perSecond * seconds * 1e6) / usedMicroseconds }
  }

  const { rows } = await owner.query<{ version: string }>("select current_setting('server_version') as version")
  process.stdout.write(
    `PostgreSQL ${rows[0]?.version}, ${rounds} rounds of ${seconds} s, load ${readFileSync('/proc/loadavg', 'utf8').slice(0, 14)}\n\n`,
  )
  process.stdout.write(
    'operation  connections   ours/s  plain/s  ratio (min-max)     µs of processor ours / plain   ratio\n',
  )
  for (const operation of operations(data)) {
    for (const connections of [1, 16]) {
      const pairs: { ours: Run; plain: Run }[] = []
      for (let round = -1; round < rounds; round++) {
        const earlyRun = round % 2 === 0 ? await run(sides.ours, operation, connections) : null
        const plainRun = await run(sides.plain, operation, connections)
        const pair = { ours: earlyRun ?? (await run(sides.ours, operation, connections)), plain: plainRun }
        // Round -1 fills caches and does not count.
        if (round >= 0) pairs.push(pair)
      }
      const ratios = pairs.map((pair) => pair.ours.perSecond / pair.plain.perSecond)
      const medianMicroseconds = (name: 'ours' | 'plain') =>
        median(pairs.map((pair) => 1e6 / pair[name].perProcessorSecond)).toFixed(0)
      const processorRatios = pairs.map((pair) => pair.ours.perProcessorSecond / pair.plain.perProcessorSecond)
      process.stdout.write(
        `${operation.name.padEnd(11)}${String(connections).padStart(11)}${median(
          pairs.map((pair) => pair.ours.perSecond),
        )
          .toFixed(0)
          .padStart(9)}${median(pairs.map((pair) => pair.plain.perSecond))
          .toFixed(0)
          .padStart(
            9,
          )}${`  ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})`.padEnd(20)}${`${medianMicroseconds('ours')} / ${medianMicroseconds('plain')}`.padStart(30)}${median(processorRatios).toFixed(2).padStart(8)}\n`,
      )
    }
  }
  await owner.end()
}

function signToken(claims: object, secret: string): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
