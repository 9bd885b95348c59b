import { moneyOf } from '#web/data/query/sums.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import type { Money } from '#web/lib/money.ts'
import { isOpenStage } from './deal-stages.ts'

/** The sums of the amounts of open deals, each multiplied by the probability of its stage. */
export interface WeightedSums {
  /** Sums by currency, pounds first, rounded to hundredths like SQL's `round`. */
  sums: readonly Money[]
  /** The names of open stages that have deals but no probability. Their deals are not counted. */
  withoutProbability: readonly string[]
}

interface Column {
  stage: Pick<DealStage, 'name' | 'kind'> & Partial<Pick<DealStage, 'probability'>>
  totals: readonly Money[]
}

/**
 * Returns the sums of the totals of the open stages, each total multiplied by the probability of its stage. When the server has counted, the totals
 * of a stage are exact, even if not all its deals are on this device. Null if no open stage has a probability.
 */
export function weightedSumsOf(columns: readonly Column[]): WeightedSums | null {
  const openColumns = columns.filter(({ stage }) => isOpenStage({ kind: stage.kind }))
  // A stage that an earlier version of the app has stored has no probability until the next pull.
  const counted = openColumns.flatMap(({ stage: { probability }, totals }) =>
    probability == null ? [] : [{ percent: BigInt(probability), totals }],
  )
  if (counted.length === 0) return null
  /** Sums by currency, in ten-thousandths of a unit: an amount has two decimals, and a percentage of it has four. */
  const sums = new Map<string, bigint>()
  for (const { percent, totals } of counted)
    for (const { currency, amount } of totals)
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(Math.round(amount * 100)) * percent)
  const hundredths = [...sums].map(
    ([currency, sum]) => [currency, { count: 1, hundredths: Number((sum + 50n) / 100n) }] as const,
  )
  const uncounted = openColumns.filter(({ stage, totals }) => stage.probability == null && totals.length > 0)
  return { sums: moneyOf(new Map(hundredths)), withoutProbability: uncounted.map(({ stage }) => stage.name) }
}
