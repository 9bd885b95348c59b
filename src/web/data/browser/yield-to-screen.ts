/** Lets the browser paint and handle input before going on with long work. */
export function yieldToScreen(): Promise<void> {
  const scheduler = (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler
  if (scheduler?.yield) return scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** From the frame that has drawn it a phone needs this long until it is on the glass, in milliseconds. */
const showing = 100

/**
 * Lets the browser paint what has just been read before the network has its turn: rows render with the next frame, the one after it has
 * drawn them; a second at most, as a covered window gets no frames.
 */
export function letScreenPaint(): Promise<void> {
  if (typeof document === 'undefined' || document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, showing)))
    setTimeout(resolve, 1000)
  })
}
