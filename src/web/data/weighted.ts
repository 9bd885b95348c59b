import { moneyOf } from '#web/data/query/sums.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import type { Money } from '#web/lib/money.ts'
import { isOpenStage } from './deal-stages.ts'

/** What open deals are worth by how likely they are won. */
export interface Weighted {
  /** By currency, pounds first, rounded to hundredths as SQL's `round` does. */
  sums: readonly Money[]
  /** The names of open stages that have deals and no probability: their deals do not count. */
  withoutProbability: readonly string[]
}

interface Column {
  stage: Pick<DealStage, 'name' | 'kind'> & Partial<Pick<DealStage, 'probability'>>
  totals: readonly Money[]
}

/**
 * The amounts of each open stage times its probability. The totals of a stage are exact, also where not all of its deals are on this device, so
 * this is as well. Null: no open stage has a probability.
 */
export function weightedOf(columns: readonly Column[]): Weighted | null {
  const open = columns.filter(({ stage }) => isOpenStage({ kind: stage.kind }))
  // A stage that an earlier version of the app has stored has none until the next pull.
  const counted = open.flatMap(({ stage: { probability }, totals }) =>
    probability == null ? [] : [{ percent: BigInt(probability), totals }],
  )
  if (counted.length === 0) return null
  /** In hundredths of hundredths: a percentage of an amount has four decimals. */
  const sums = new Map<string, bigint>()
  for (const { percent, totals } of counted)
    for (const { currency, amount } of totals)
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(Math.round(amount * 100)) * percent)
  const hundredths = [...sums].map(
    ([currency, sum]) => [currency, { count: 1, hundredths: Number((sum + 50n) / 100n) }] as const,
  )
  const uncounted = open.filter(({ stage, totals }) => stage.probability == null && totals.length > 0)
  return { sums: moneyOf(new Map(hundredths)), withoutProbability: uncounted.map(({ stage }) => stage.name) }
}
