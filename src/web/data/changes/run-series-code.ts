type Series = typeof import('./series-rows.ts')

let loaded: Series | undefined

/**
 * Runs the code for tasks that come again, which is loaded when the first of them is shown. Never rejects: where the code cannot be had, the
 * next pull brings what it would have shown.
 */
export const runSeriesCode = (run: (series: Series) => unknown): Promise<unknown> =>
  import('./series-rows.ts')
    .then((series) => {
      loaded = series
      return run(series)
    })
    .catch(() => {})

/** The same at once, where the code is here. An edit does not wait for it: another one could overtake it, or the page be closed meanwhile. */
export function runSeriesCodeIfLoaded(run: (series: Series) => unknown): void {
  if (loaded) run(loaded)
  else void runSeriesCode(() => {})
}
