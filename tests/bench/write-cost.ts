/**
 * `npm run bench:writes -- [NAME=URL …]`: measures the processor time of PostgreSQL for the app's most frequent requests in each of these databases,
 * which must be empty or have the product's tables (default: a new one of the test cluster). Also measures the same statements on plain tables with
 * simple row-level security and without triggers. The kernel counts the time of the session's process, so that other load hardly matters. Rounds alternate.
 * `--rounds`, `--requests`, `--only`.
 */
import { readFileSync } from 'node:fs'
import { migrate } from '#server/db/migrate.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { RequestConnection } from '#server/db/request-connection.ts'
import { testDatabase } from '../harness/database.ts'
import { createPlainTables } from './plain-tables.ts'
import { processorTimes, processorTimeBetween } from './processor-time.ts'
import { median } from './run-load.ts'
import { openWriteScene, type WriteScene } from './write-scene.ts'
import { poolOf } from '../harness/pool-of.ts'

const rounds = Number(option('--rounds') ?? 61)
const requestsPerRound = Number(option('--requests') ?? 20)
const onlyName = option('--only')

interface Side {
  name: string
  scene: WriteScene
  connection: RequestConnection
  pid: number
}

const namedUrls = process.argv.slice(2).filter((argument) => /^\w+=/.test(argument))
const temporaryDatabase = namedUrls.length === 0 ? await testDatabase() : null
const databases = temporaryDatabase
  ? [['now', temporaryDatabase.url]]
  : namedUrls.map((namedUrl) => [namedUrl.slice(0, namedUrl.indexOf('=')), namedUrl.slice(namedUrl.indexOf('=') + 1)])
const sides: Side[] = []
for (const [name = '', url = ''] of databases) {
  const owner = poolOf(url, 2)
  const { rows } = await owner.query("select to_regclass('public.deals') is null as empty")
  if (rows[0]?.empty) await migrate(owner, [platformMigrations(), productMigrations()])
  const scene = await openWriteScene(owner)
  await createPlainTables(owner)
  await owner.query('vacuum analyze')
  const connection = await RequestConnection.open({ connectionString: url }, () => {})
  const [result] = await connection.run(
    scene.context({}),
    [{ text: 'select pg_backend_pid() as pid', values: [] }],
    false,
  )
  sides.push({ name, scene, connection, pid: Number(result?.rows[0]?.pid) })
}
process.stdout.write(
  `Processor time of a request in µs, median of ${rounds} rounds of ${requestsPerRound}; load ${readFileSync('/proc/loadavg', 'utf8').slice(0, 14)}\n`,
)
process.stdout.write(
  `${'request'.padEnd(24)}${sides
    .flatMap(({ name }) => [name, `${name}/plain`])
    .map((name) => name.padStart(14))
    .join('')}\n`,
)
for (const operation of sides[0]?.scene.operations ?? []) {
  if (onlyName !== undefined && !operation.includes(onlyName)) continue
  const times = sides.map(() => ({ ours: [] as number[], plain: [] as number[] }))
  for (let round = -1; round < rounds; round++) {
    for (const [index, side] of sides.entries()) {
      for (const kind of ['ours', 'plain'] as const) {
        const microseconds = await measure(side, operation, kind)
        // Round -1 fills caches and does not count.
        if (round >= 0) times[index]?.[kind].push(microseconds)
      }
    }
  }
  const cells = times.flatMap(({ ours, plain }) => [
    median(ours).toFixed(0),
    `${(median(ours) / median(plain)).toFixed(2)} of ${median(plain).toFixed(0)}`,
  ])
  process.stdout.write(`${operation.padEnd(24)}${cells.map((cell) => cell.padStart(14)).join('')}\n`)
}
for (const { connection, scene } of sides) {
  connection.close()
  await scene.owner.end()
}
await temporaryDatabase?.drop()

/** Returns the processor time of the session's process for one request, in µs. */
async function measure(side: Side, operation: string, kind: 'ours' | 'plain'): Promise<number> {
  const { scene, connection, pid } = side
  const requests = Array.from({ length: operation.startsWith('import') ? 1 : requestsPerRound }, () =>
    scene.request(operation, kind),
  )
  const before = processorTimes([pid])
  for (const { context, statement } of requests) await connection.run(context, [statement], false)
  return processorTimeBetween(before, processorTimes([pid])) / requests.length
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
