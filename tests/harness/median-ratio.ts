/** A ratio of two medians. */
export interface Ratio {
  ratio: number
  /** The bounds of the 95 % confidence interval. */
  low: number
  high: number
}

const resampleCount = 2000

/** Returns the median of `a` divided by the median of `b`, with its 95 % confidence interval (percentile bootstrap). */
export function medianRatio(a: readonly number[], b: readonly number[]): Ratio {
  const resampledRatios = Array.from(
    { length: resampleCount },
    () => median(resample(a)) / median(resample(b)),
  ).toSorted((x, y) => x - y)
  const quantile = (share: number) => resampledRatios[Math.floor(share * (resampleCount - 1))] ?? Number.NaN
  return { ratio: median(a) / median(b), low: quantile(0.025), high: quantile(0.975) }
}

/** Returns as many values, drawn at random with replacement. */
function resample(values: readonly number[]): number[] {
  return values.map(() => values[Math.floor(Math.random() * values.length)] ?? Number.NaN)
}

function median(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN
}
