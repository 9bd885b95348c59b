/** Lets the browser paint and handle input before long work continues. */
export function yieldToScreen(): Promise<void> {
  // Some browsers have no `scheduler`.
  const scheduler: Partial<Scheduler> | undefined = globalThis.scheduler
  if (scheduler?.yield) return scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** The assumed time from the rendering of a frame to its display on the screen of a phone. */
const displayDelayMs = 100

/**
 * Waits until the browser has painted the rows that were just read, so that work for the network does not delay them: the rows are rendered in the
 * next frame, and drawn in the frame after it. Waits at most a second, because a covered window gets no frames. Does not wait if
 * the page is hidden.
 */
export function untilPainted(): Promise<void> {
  if (typeof document === 'undefined' || document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, displayDelayMs)))
    setTimeout(resolve, 1000)
  })
}
