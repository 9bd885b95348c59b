/**
 * `npm run bench:growth`: measures how the cost of reading grows with the size of a brand. Creates brands of several sizes in the empty database of
 * `DATABASE_URL` (default: a new one), runs the app's queries, and prints the blocks read and the milliseconds of PostgreSQL's processor time
 * (elapsed time if it runs on another machine). Blocks do not depend on other load, and processor time hardly does.
 * `--sizes 10000,100000`, `--others 200` (brands of 500 contacts beside them), `--only board`, `--late 9000` (a brand without statistics),
 * `--plans 5` (prints the plans of the slowest queries on the last size), `--kept FILE` (stores the brands' ids for later runs).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { PoolClient } from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { ownPostgres } from '../harness/own-postgres.ts'
import { processorTimes, processorTimeBetween } from './processor-time.ts'
import { slowestPlan } from './bench-plans.ts'
import { addGrowthBrand, addSmallBrands, type GrowthBrand } from './growth-data.ts'
import { type GrowthQuery, growthQueries } from './growth-queries.ts'
import { poolOf } from '../harness/pool-of.ts'

const sizes = (option('--sizes') ?? '10000,100000').split(',').map(Number)
const otherBrandCount = Number(option('--others') ?? 200)
const onlyName = option('--only')
/** Number of contacts of a brand that is added after the statistics were gathered, like a brand that was just imported. */
const lateContacts = Number(option('--late') ?? 0)
/** Number of the slowest queries whose plans are printed. */
const printedPlanCount = Number(option('--plans') ?? 0)
/** A file that stores the ids of the brands, so that later runs reuse them. */
const brandsFile = option('--kept')
const lastRun = 5

/** A session that runs the queries. `pid`: its process; null if PostgreSQL runs on another machine. */
interface Session {
  client: PoolClient
  pid: number | null
}

interface Cost {
  blocks: number
  ms: number
}

const setServiceRoleSql = `select set_config('request.jwt.claims', '{"role":"service_role"}', false)`

const ownCluster = process.env.DATABASE_URL ? null : await ownPostgres()
const pool = poolOf(process.env.DATABASE_URL ?? ownCluster?.url, 2)
try {
  const brands = await readOrCreateBrands()
  const client = await pool.connect()
  await client.query(setServiceRoleSql)
  await client.query('set jit = off; set max_parallel_workers_per_gather = 0')
  const session = { client, pid: await pidOf(client) }
  await printPlans(await printCosts(session, brands))
  if (lateContacts) await printCostsOfLateBrand(session)
  client.release()
} finally {
  await pool.end()
  await ownCluster?.remove()
}

/** Returns one brand of each size: a stored one of an earlier run, or a new one. Stores the new ones if `--kept` is set. */
async function readOrCreateBrands(): Promise<GrowthBrand[]> {
  const storedBrands: GrowthBrand[] =
    brandsFile && existsSync(brandsFile) ? JSON.parse(readFileSync(brandsFile, 'utf8')) : []
  if (storedBrands.length === 0) {
    await migrate(pool, [platformMigrations(), productMigrations()])
    await addSmallBrands(pool, otherBrandCount, 500)
  }
  const brands: GrowthBrand[] = []
  for (const size of sizes)
    brands.push(storedBrands.find(({ contacts }) => contacts === size) ?? (await addGrowthBrand(pool, size)))
  if (brands.some((brand) => !storedBrands.includes(brand))) {
    await pool.query('select private.count_all_figures()')
    await pool.query('vacuum analyze')
  }
  if (brandsFile) writeFileSync(brandsFile, JSON.stringify([...new Set([...storedBrands, ...brands])]))
  return brands
}

/** Adds a brand, and prints the costs of its queries without statistics and with them. PostgreSQL must choose good plans in both cases. */
async function printCostsOfLateBrand(session: Session): Promise<void> {
  await pool.query('alter system set autovacuum = off')
  await pool.query('select pg_reload_conf()')
  const brand = await addGrowthBrand(pool, lateContacts)
  await pool.query('select private.count_all_figures()')
  process.stdout.write('\nA brand without statistics, and with them\n')
  const before = await costsOf(session, brand)
  await pool.query('analyze')
  const after = await costsOf(session, brand)
  for (const [name, cost] of before) {
    const afterwards = after.get(name)
    if (!afterwards) continue
    const cell = ({ blocks, ms }: Cost) => `${blocks.toLocaleString('en-GB')}, ${ms.toFixed(1)}`.padStart(20)
    process.stdout.write(
      `${name.padEnd(36)}${cell(cost)}${cell(afterwards)}${(cost.ms / afterwards.ms).toFixed(1).padStart(8)}\n`,
    )
  }
}

async function costsOf(session: Session, brand: GrowthBrand): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>()
  for (const query of growthQueries(brand)) {
    if (onlyName && !query.name.includes(onlyName)) continue
    costs.set(query.name, await costOf(session, query))
  }
  return costs
}

/** A query that was measured, with its time (ms). */
interface MeasuredQuery {
  query: GrowthQuery
  ms: number
}

/** Prints a table with the costs of each query on each brand. Returns the queries on the last brand with their times. */
async function printCosts(session: Session, brands: readonly GrowthBrand[]): Promise<MeasuredQuery[]> {
  const measuredQueries: MeasuredQuery[] = []
  const queriesByBrand = brands.map(growthQueries)
  const width = 36
  const cell = (text: string) => text.padStart(20)
  const headerCells = brands.map(({ contacts }) => cell(`${contacts.toLocaleString('en-GB')}: blocks, ms`))
  process.stdout.write(`${'query'.padEnd(width)}${headerCells.join('')}\n`)
  for (const [index, { name }] of (queriesByBrand[0] ?? []).entries()) {
    if (onlyName && !name.includes(onlyName)) continue
    const cells: string[] = []
    for (const list of queriesByBrand) {
      const query = list[index]
      const cost = query && (await costOf(session, query))
      if (query && cost && list === queriesByBrand.at(-1)) measuredQueries.push({ query, ms: cost.ms })
      cells.push(cell(cost ? `${cost.blocks.toLocaleString('en-GB')}, ${cost.ms.toFixed(1)}` : ''))
    }
    process.stdout.write(`${name.padEnd(width)}${cells.join('')}\n`)
  }
  return measuredQueries
}

/** Prints the plans of the slowest queries: the plan of the slowest statement in each. */
async function printPlans(measuredQueries: readonly MeasuredQuery[]): Promise<void> {
  const slowestQueries = [...measuredQueries].sort((first, second) => second.ms - first.ms).slice(0, printedPlanCount)
  const context = { text: setServiceRoleSql, values: [] }
  for (const { query } of slowestQueries)
    process.stdout.write(`\n${query.name}\n${await slowestPlan(pool, { context, statement: query })}\n`)
}

async function pidOf(client: PoolClient): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const commFile = `/proc/${rows[0]?.pid}/comm`
  return existsSync(commFile) && readFileSync(commFile, 'utf8').startsWith('postgres') ? (rows[0]?.pid ?? null) : null
}

/** Runs a query up to six times; a run of more than 2 s (processor time, if it can be measured) is the last. Returns the fewest blocks and the shortest time of these runs. */
async function costOf({ client, pid }: Session, { text, values }: GrowthQuery): Promise<Cost> {
  const costs: Cost[] = []
  for (let run = 0; run <= lastRun; run++) {
    const before = pid && processorTimes([pid])
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      [...values],
    )
    const explained = rows[0]?.['QUERY PLAN'][0]
    if (!explained) throw new Error('PostgreSQL returned no plan.')
    const { Plan: plan, 'Execution Time': clockMs } = explained
    const ms = pid && before ? processorTimeBetween(before, processorTimes([pid])) / 1000 : clockMs
    costs.push({ blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], ms })
    if (ms > 2000) break
  }
  return { blocks: Math.min(...costs.map(({ blocks }) => blocks)), ms: Math.min(...costs.map(({ ms }) => ms)) }
}

interface Explained {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
  'Execution Time': number
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
