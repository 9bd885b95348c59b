/** Delays before each restart (ms). */
const delaysMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
/** A run of at least this length (ms) resets the delay. */
const stableAfterMs = 60_000
/**
 * A server that was ready may crash this many times before the delay grows. A crash of a server that was not ready yet counts as this many
 * crashes.
 */
const crashesPerStep = 30

/**
 * Creates a function that returns the delay before a crashed server is restarted.
 * - If the server crashes before it is ready, each delay is longer than the one before: 0, 0.5, 1, 2 ... 30 s, then always 30 s.
 * - If the server crashes after it was ready, the first thirty restarts have no delay. After that, the delays grow in the same steps, one step per
 *   thirty crashes.
 * - A run of at least a minute begins the delays anew.
 *
 * @returns {(run: { lengthMs: number, wasReady: boolean }) => number} Takes the length of the run in ms, returns the delay in ms.
 */
export function restartDelays() {
  let crashes = 0
  return ({ lengthMs, wasReady }) => {
    if (lengthMs >= stableAfterMs) crashes = 0
    const step = Math.min(Math.floor(crashes / crashesPerStep), delaysMs.length - 1)
    crashes += wasReady ? 1 : crashesPerStep
    return delaysMs[step]
  }
}
