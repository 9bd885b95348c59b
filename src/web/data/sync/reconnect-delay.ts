/** The delays before a lost socket is opened again (ms): at the first attempt, at the second, and so on. */
const delaysMs = [1_000, 2_000, 5_000, 10_000]

/** If a socket was open for a shorter time than this (ms), it counts as refused by the server. */
const stableAfterMs = 10_000

/** Maximum delay after the server has refused the socket several times (ms). */
const longestDelayMs = 30_000

/**
 * Makes the function that computes how long to wait before a lost socket is opened again (ms). Its argument `tries` counts the attempts
 * since the socket was last open, from 1, as Supabase's official client does. If the server opens the socket and closes it at once (a
 * limit, code 1008), the client's own function would try every second, and each attempt would count against that limit.
 */
export function createReconnectDelay(now: () => number = Date.now): (tries: number) => number {
  let refusals = 0
  let nextTryAt = Number.NEGATIVE_INFINITY
  return (tries) => {
    if (tries === 1) refusals = now() - nextTryAt < stableAfterMs ? refusals + 1 : 0
    const usualDelayMs = delaysMs[Math.min(tries, delaysMs.length) - 1] ?? longestDelayMs
    const delayMs =
      refusals === 0 ? usualDelayMs : Math.max(usualDelayMs, Math.min(1_000 * 3 ** refusals, longestDelayMs))
    nextTryAt = now() + delayMs
    return delayMs
  }
}
