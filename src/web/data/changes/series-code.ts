type Series = typeof import('./series-rows.ts')

let loaded: Series | undefined

/**
 * Loads the code for repeating tasks and runs `run` with it. Never rejects. If the code cannot be loaded or `run` fails, the next pull fetches
 * the rows that `run` would have shown or stored.
 */
export const runSeriesCode = (run: (series: Series) => unknown): Promise<unknown> =>
  import('./series-rows.ts')
    .then((series) => {
      loaded = series
      return run(series)
    })
    .catch(() => {})

/**
 * Runs `run` at once if the code for repeating tasks is loaded. Otherwise only starts to load the code and does not run `run`. An edit must
 * not wait for the code, because a later edit could then enter the queue first, or the page could be closed meanwhile.
 */
export function runSeriesCodeIfLoaded(run: (series: Series) => unknown): void {
  if (loaded) run(loaded)
  else void runSeriesCode(() => {})
}
