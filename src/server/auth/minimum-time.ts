/**
 * Runs `work` and returns no earlier than `milliseconds` after the start, so that the time of an answer does not reveal
 * which statements ran. Holds no resources while waiting.
 */
export async function withMinimumTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work(), new Promise((resolve) => setTimeout(resolve, milliseconds))])
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** Delays only refusals; a success is returned at once. */
export async function withMinimumRefusalTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const until = new Promise((resolve) => setTimeout(resolve, milliseconds))
  try {
    return await work()
  } catch (error) {
    await until
    throw error
  }
}

/**
 * Delay for answers that must not reveal whether an account exists. Longer than any of them takes on an idle machine.
 */
export const sameTimeMs = 250
