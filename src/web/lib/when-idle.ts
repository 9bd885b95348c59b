/**
 * Loads code when the page is idle: code that is needed most without a network (the outbox, the question before signing out). Returns a function that
 * cancels it. Failures are ignored, because the next use loads it again.
 */
export function whenIdle(load: () => Promise<unknown>): () => void {
  const timer = setTimeout(() => void load().catch(() => {}), 3_000)
  return () => clearTimeout(timer)
}
