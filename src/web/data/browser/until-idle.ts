/** Longest wait for an idle moment. */
const longestWaitMs = 500

/** Resolves when the main thread has nothing to do; browsers without `requestIdleCallback` (Safari) wait the longest time. */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, longestWaitMs)
    else requestIdleCallback(() => resolve(), { timeout: longestWaitMs })
  })
}
