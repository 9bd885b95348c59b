import type { Page } from '@playwright/test'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/**
 * The longest main-thread task of the browser's pages while `work` runs (ms). `busy` is CPU time, which does not depend
 * on other load; `wall` is elapsed time, never less.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<{ busy: number; wall: number }> {
  const browser = page.context().browser()
  if (!browser) throw new Error('only a browser that the test started can be traced')
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  const failure = await work().then(
    () => null,
    (error: unknown) => ({ error }),
  )
  // Also after a failure: a trace that stays open would make the next one fail.
  const trace = await browser.stopTracing()
  if (failure) throw failure.error
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  )
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mains.has(thread(event)))
  const longest = (of: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((most, event) => Math.max(most, (of(event) ?? 0) / 1000), 0)
  return { busy: longest(({ tdur }) => tdur), wall: longest(({ dur }) => dur) }
}
