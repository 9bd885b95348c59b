/** Delays before a lost socket is opened again: at the first attempt, the second, and so on. */
const delaysMs = [1_000, 2_000, 5_000, 10_000]

/** A socket that was open for a shorter time counts as refused. */
const stableAfterMs = 10_000

/** Longest delay after refused attempts. */
const longestDelayMs = 30_000

/**
 * Returns a function that computes the delay in milliseconds before a lost socket is opened again. `tries` counts the attempts since the socket
 * was last open, from 1, as the official client does. The client's own function would try every second when the server opens the socket and
 * closes it at once (a limit, code 1008), and each attempt would count against that limit.
 */
export function createReconnectDelay(now: () => number = Date.now): (tries: number) => number {
  let refused = 0
  let triedAt = Number.NEGATIVE_INFINITY
  return (tries) => {
    if (tries === 1) refused = now() - triedAt < stableAfterMs ? refused + 1 : 0
    const usual = delaysMs[Math.min(tries, delaysMs.length) - 1] ?? longestDelayMs
    const wait = refused === 0 ? usual : Math.max(usual, Math.min(1_000 * 3 ** refused, longestDelayMs))
    triedAt = now() + wait
    return wait
  }
}
