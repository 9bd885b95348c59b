/** Runs the code for tasks that come again, which is loaded when the first of them is shown. Where it cannot be had, the next pull brings what it would have shown. */
export const withSeries = (run: (series: typeof import('./series-rows.ts')) => unknown): Promise<unknown> =>
  import('./series-rows.ts').then(run).catch(() => {})
