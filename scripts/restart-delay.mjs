/** Delays of the supervisor before each restart. */
const delaysMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
/** A run of at least this length resets the delay. */
const stableAfterMs = 60_000
/** This many crashes of servers that had answered requests count as one crash of a server that never did. */
const stableAfterRequests = 30

/**
 * Makes the function that returns the delay before a crashed server is restarted. For a server that crashes before it
 * is ready, each delay is longer than the last: 0, 0.5, 1, 2 ... 30 s. One that has answered requests is restarted at
 * once, thirty times; then it waits too.
 *
 * @returns {(life: { lived: number, wasReady: boolean }) => number} From the length of the run in ms to a delay in ms.
 */
export function restartDelays() {
  let deaths = 0
  return ({ lived, wasReady }) => {
    if (lived >= stableAfterMs) deaths = 0
    const step = Math.min(Math.floor(deaths / stableAfterRequests), delaysMs.length - 1)
    deaths += wasReady ? 1 : stableAfterRequests
    return delaysMs[step]
  }
}
