/**
 * `npm run bench:writes -- [NAME=URL …]`: the processor time of PostgreSQL for the app's commonest requests, in each of these databases (empty ones;
 * default: a new one of the test cluster), and for the same statements on plain tables under plain row security, without triggers. Each is
 * read from the kernel's account of the session's process, so that other load hardly counts. Rounds alternate. `--rounds`, `--requests`, `--only`.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { RequestConnection } from '#server/db/request-connection.ts'
import { testDatabase } from '../harness/database.ts'
import { fillPlainTables } from './plain-tables.ts'
import { processorTimes, timeBetween } from './processor-time.ts'
import { median } from './run-load.ts'
import { openWriteScene, type WriteScene } from './write-scene.ts'

const rounds = Number(option('--rounds') ?? 61)
const perRound = Number(option('--requests') ?? 20)
const only = option('--only')

interface Side {
  name: string
  scene: WriteScene
  connection: RequestConnection
  pid: number
}

const named = process.argv.slice(2).filter((argument) => /^\w+=/.test(argument))
const made = named.length === 0 ? await testDatabase() : null
const places = made
  ? [['now', made.url]]
  : named.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])
const sides: Side[] = []
for (const [name = '', url = ''] of places) {
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  const { rows } = await owner.query("select to_regclass('public.deals') is null as empty")
  if (rows[0]?.empty) await migrate(owner, [platformMigrations(), productMigrations()])
  const scene = await openWriteScene(owner)
  await fillPlainTables(owner)
  await owner.query('vacuum analyze')
  const connection = await RequestConnection.open({ connectionString: url }, () => {})
  const [answer] = await connection.run(
    scene.context({}),
    [{ text: 'select pg_backend_pid() as pid', values: [] }],
    false,
  )
  sides.push({ name, scene, connection, pid: Number(answer?.rows[0]?.pid) })
}
process.stdout.write(
  `CPU time of a request in µs, median of ${rounds} rounds of ${perRound}; load ${readFileSync('/proc/loadavg', 'utf8').slice(0, 14)}\n`,
)
process.stdout.write(
  `${'request'.padEnd(24)}${sides
    .flatMap(({ name }) => [name, `${name}/plain`])
    .map((name) => name.padStart(14))
    .join('')}\n`,
)
for (const operation of sides[0]?.scene.operations ?? []) {
  if (only !== undefined && !operation.includes(only)) continue
  const times = sides.map(() => ({ ours: [] as number[], plain: [] as number[] }))
  for (let round = -1; round < rounds; round++) {
    for (const [place, side] of sides.entries()) {
      for (const kind of ['ours', 'plain'] as const) {
        const taken = await measure(side, operation, kind)
        // The first round fills caches.
        if (round >= 0) times[place]?.[kind].push(taken)
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
await made?.drop()

/** µs of processor time of the session's process for one request. */
async function measure(side: Side, operation: string, kind: 'ours' | 'plain'): Promise<number> {
  const { scene, connection, pid } = side
  const requests = Array.from({ length: operation.startsWith('import') ? 1 : perRound }, () =>
    scene.request(operation, kind),
  )
  const before = processorTimes([pid])
  for (const { context, statement } of requests) await connection.run(context, [statement], false)
  return timeBetween(before, processorTimes([pid])) / requests.length
}

function option(name: string): string | undefined {
  const place = process.argv.indexOf(name)
  return place < 0 ? undefined : process.argv[place + 1]
}
