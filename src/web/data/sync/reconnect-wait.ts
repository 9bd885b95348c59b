/** Before a lost socket is opened again: the first time, the second, … Milliseconds. */
const waits = [1_000, 2_000, 5_000, 10_000]

/** A socket that was open for less than this, in milliseconds, counts as refused. */
const lasting = 10_000

/** Between tries that are refused one after the other. Milliseconds. */
const longest = 30_000

/**
 * How long to wait before a lost socket is opened again. `tries` counts the attempts since the last one that opened, from 1 on, as the client
 * does. By itself the client would try again each second where the server takes the socket and closes it at once (a limit, code 1008), and
 * each try would count against that limit.
 */
export function reconnectWaits(now: () => number = Date.now): (tries: number) => number {
  let refused = 0
  let triedAt = Number.NEGATIVE_INFINITY
  return (tries) => {
    if (tries === 1) refused = now() - triedAt < lasting ? refused + 1 : 0
    const usual = waits[Math.min(tries, waits.length) - 1] ?? longest
    const wait = refused === 0 ? usual : Math.max(usual, Math.min(1_000 * 3 ** refused, longest))
    triedAt = now() + wait
    return wait
  }
}
