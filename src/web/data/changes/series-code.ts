import { type Device, devicePart } from '#web/data/browser/device.ts'

type Series = typeof import('./series-rows.ts')

/** How a device loads the code for repeating tasks, and the code once it is loaded. Tests replace both. */
export const seriesCode = devicePart((): { load: () => Promise<Series>; loaded?: Series | undefined } => ({
  load: () => import('./series-rows.ts'),
}))

/**
 * Loads the code for repeating tasks and runs `run` with it. Never rejects. If the code cannot be loaded or `run` fails, the next pull fetches
 * the rows that `run` would have shown or stored.
 */
export const runSeriesCode = (device: Device, run: (series: Series) => unknown): Promise<unknown> =>
  seriesCode(device)
    .load()
    .then((series) => {
      seriesCode(device).loaded = series
      return run(series)
    })
    .catch(() => {})

/**
 * Runs `run` at once if the code for repeating tasks is loaded. Otherwise only starts to load the code and does not run `run`. An edit must
 * not wait for the code, because a later edit could then enter the queue first, or the page could be closed meanwhile.
 */
export function runSeriesCodeIfLoaded(device: Device, run: (series: Series) => unknown): void {
  const { loaded } = seriesCode(device)
  if (loaded) run(loaded)
  else void runSeriesCode(device, () => {})
}
