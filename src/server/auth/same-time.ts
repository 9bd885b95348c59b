/**
 * Runs `work` and answers no sooner than `milliseconds` after it began: where the work differs by a statement, the answer's
 * time must not tell which one it was. The time is waited, nothing is held meanwhile.
 */
export async function noSooner<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work(), new Promise((resolve) => setTimeout(resolve, milliseconds))])
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** The same for a refusal alone; what works out is answered at once. */
export async function refuseNoSooner<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const until = new Promise((resolve) => setTimeout(resolve, milliseconds))
  try {
    return await work()
  } catch (error) {
    await until
    throw error
  }
}

/** For answers that are the same whoever has an account. Milliseconds: longer than any of them takes on an idle machine. */
export const sameTimeMs = 250
