/** Longest wait for an idle moment. */
const longestWaitMs = 500

/** Resolves when the main thread is idle. Browsers without `requestIdleCallback` (Safari) wait the longest time. */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, longestWaitMs)
    else requestIdleCallback(() => resolve(), { timeout: longestWaitMs })
  })
}
