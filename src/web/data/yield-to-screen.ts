/** Lets the browser paint and handle input before going on with long work. */
export function yieldToScreen(): Promise<void> {
  const scheduler = (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler
  if (scheduler?.yield) return scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Lets the browser paint what has just been read before the network has its turn: until it is idle, 300 ms at most. */
export function letScreenPaint(): Promise<void> {
  if (typeof document === 'undefined' || document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    // Safari has no idle callback.
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, 50)
    else requestIdleCallback(() => resolve(), { timeout: 300 })
  })
}
