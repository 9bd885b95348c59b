/** Maximum time that `untilIdle` waits. */
const longestWaitMs = 500

/** Resolves when the main thread is idle, at the latest after `longestWaitMs`. Without `requestIdleCallback` (Safari) always after that time. */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, longestWaitMs)
    else requestIdleCallback(() => resolve(), { timeout: longestWaitMs })
  })
}
