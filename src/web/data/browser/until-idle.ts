/** Without an idle moment the wait ends after this time, in milliseconds. */
const longestWait = 500

/** Resolves when the main thread has nothing to do; browsers without `requestIdleCallback` (Safari) wait the longest time. */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, longestWait)
    else requestIdleCallback(() => resolve(), { timeout: longestWait })
  })
}
