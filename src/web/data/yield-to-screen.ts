/** Lets the browser paint and handle input before going on with long work. */
export function yieldToScreen(): Promise<void> {
  const scheduler = (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler
  if (scheduler?.yield) return scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/**
 * Lets the browser paint what has just been read before the network has its turn: rows render with the next frame, the one after it has
 * them on screen; a second at most, as a covered window gets no frames.
 */
export function letScreenPaint(): Promise<void> {
  if (typeof document === 'undefined' || document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)))
    setTimeout(resolve, 1000)
  })
}
