import type { Page } from '@playwright/test'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** A task of the main thread (ms). `busy`: CPU time; it does not depend on other load. `wall`: elapsed time, never less than `busy`. */
export interface MainTask {
  busy: number
  wall: number
}

/** Returns the maximum CPU time and the maximum elapsed time of a main-thread task of the browser's pages while `work` runs. */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<MainTask> {
  const tasks = await tasksDuring(page, work)
  return {
    busy: tasks.reduce((most, { busy }) => Math.max(most, busy), 0),
    wall: tasks.reduce((most, { wall }) => Math.max(most, wall), 0),
  }
}

/** Returns all main-thread tasks of the browser's pages while `work` runs. */
export async function tasksDuring(page: Page, work: () => Promise<void>): Promise<MainTask[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('only a browser that the test started can be traced')
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  const failure = await work().then(
    () => null,
    (error: unknown) => ({ error }),
  )
  // Stops the trace even if `work` has failed, because otherwise the next trace could not start.
  const trace = await browser.stopTracing()
  if (failure) throw failure.error
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadKey = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadKey),
  )
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mainThreads.has(threadKey(event)))
  return tasks.map(({ dur = 0, tdur = 0 }) => ({ busy: tdur / 1000, wall: dur / 1000 }))
}
