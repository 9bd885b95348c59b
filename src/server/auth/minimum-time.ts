/**
 * Runs `work` and settles no earlier than `milliseconds` after the start, so that the time of a response does not reveal
 * which statements ran. Holds no connection while it waits.
 */
export async function withMinimumTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work(), new Promise((resolve) => setTimeout(resolve, milliseconds))])
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** Runs `work` and rejects no earlier than `milliseconds` after the start. A success is returned at once. */
export async function withMinimumRefusalTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const minimumDelay = new Promise((resolve) => setTimeout(resolve, milliseconds))
  try {
    return await work()
  } catch (error) {
    await minimumDelay
    throw error
  }
}

/**
 * Minimum time of responses that must not reveal whether an account exists (ms). It is longer than such a response takes
 * on an idle machine.
 */
export const minimumResponseMs = 250
