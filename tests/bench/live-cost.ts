/**
 * `npm run bench:live`: measures the cost of the change log for a write. Sends PATCH requests that move deals, and their SQL with pgbench, with
 * the trigger that writes the log on and off in turn. Prints the median of the ratio on/off with its 95 % interval. `--pairs`, `--seconds`.
 */
import { startTestServer } from '../harness/server.ts'
import { fillBench } from './bench-data.ts'
import { preparePgbench } from './pgbench.ts'
import { embeddedDatabaseUrl, runLoad, median, requestText } from './run-load.ts'
import { compileForBench } from './statement-of.ts'
import { poolOf } from '../harness/pool-of.ts'

const pairs = Number(option('--pairs') ?? 15)
const seconds = Number(option('--seconds') ?? 1)

const server = await startTestServer({ run: 'process', databaseKind: 'embedded' })
const database = embeddedDatabaseUrl(server.dataDir)
const owner = poolOf(database, 2)
const { token, brandId, stageIds, dealIds } = await fillBench(server.url, server.publishableKey, owner)
const callerHeaders = { apikey: server.publishableKey, authorization: `Bearer ${token}` }
const moves = dealIds.map((id) =>
  stageIds.map((stageId) => ({
    method: 'PATCH',
    target: `deals?id=eq.${id}&brand_id=eq.${brandId}&version=gte.0`,
    headers: { ...callerHeaders, 'content-type': 'application/json' },
    body: JSON.stringify({ stage_id: stageId }),
  })),
)
const requests = moves.map((list) => list.map(requestText))
const runPgbench = await preparePgbench(
  await Promise.all(moves.map((list) => Promise.all(list.map((move) => compileForBench(owner, move, token))))),
)
const measureByHttp = async (connections: number) => {
  const { perSecond, failed, example } = await runLoad(server.url, { connections, seconds, requests, status: 204 })
  if (failed > 0) throw new Error(`${failed} responses failed: ${example}`)
  return perSecond
}
const measureByPgbench = (connections: number) =>
  runPgbench({ database, connections, seconds: Math.max(1, Math.round(seconds)) })

for (const [name, measureRate] of [
  ['PATCH by HTTP', measureByHttp],
  ['the same SQL by pgbench', measureByPgbench],
] as const) {
  for (const connections of [1, 16]) {
    const ratios: number[] = []
    for (let pair = 0; pair < pairs; pair++) {
      // The order alternates, so that other load affects both.
      const rates = { on: 0, off: 0 }
      for (const state of pair % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
        await owner.query(`alter table public.deals ${state === 'on' ? 'enable' : 'disable'} trigger log_updates`)
        rates[state] = await measureRate(connections)
      }
      ratios.push(rates.on / rates.off)
    }
    const [low, high] = medianInterval(ratios)
    console.log(
      `${name}, ${connections} connections: log on/off ${median(ratios).toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`,
    )
  }
}
await owner.end()
await server.stop()

/** Returns the 95 % confidence interval of the median (binomial; for 15 values the 4th and the 12th). */
function medianInterval(values: readonly number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b)
  const halfWidth = Math.ceil(0.98 * Math.sqrt(sorted.length))
  const middle = (sorted.length - 1) / 2
  return [
    sorted[Math.max(0, Math.floor(middle - halfWidth))] ?? 0,
    sorted[Math.min(sorted.length - 1, Math.ceil(middle + halfWidth))] ?? 0,
  ]
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
