const key = 'banyan-frame'

/**
 * Stores on this device whether a session exists, so that /first-paint.js can paint the frame of the pages before the app is loaded. It
 * does not store whose: that script cannot read the session itself.
 */
export function noteFirstFrame(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {
    // Without storage the app itself paints first.
  }
}

/**
 * Resolves when the frame of /first-paint.js has been painted, at most one animation frame later; at once when that frame is not shown or
 * the page is hidden. So rendering does not delay the first paint.
 */
export function paintFirstFrame(): Promise<void> {
  const frame = document.getElementById('frame')
  if (!frame || frame.hidden || document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0))
    // A window that is covered while it loads may get no animation frames.
    setTimeout(resolve, 100)
  })
}
