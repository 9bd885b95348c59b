/** How long the supervisor waits, step by step. Milliseconds. */
const delaysMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
/** A life of this length forgives what was before it. Milliseconds. */
const stableAfterMs = 60_000
/** So many deaths of a server that had served count as one death of a server that never did. */
const stableAfterRequests = 30

/**
 * Makes the function that says how long to wait before a dead server is started again. A server that dies before it is
 * ready waits a step longer each time: 0, 0.5, 1, 2 ... 30 s. One that has served is brought back at once, thirty times;
 * then it waits, too.
 *
 * @returns {(life: { lived: number, wasReady: boolean }) => number} From a life in milliseconds to a delay in milliseconds.
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
