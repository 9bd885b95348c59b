const KEY = 'banyan-frame'

/**
 * Notes on this device whether somebody is signed in, so that /first-paint.js can paint the frame of the pages before the app is loaded. Says
 * nothing of who it is: the session itself lies where a script that runs so early cannot ask.
 */
export function noteFirstFrame(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the first paint is the app's own.
  }
}

/**
 * Resolves when the frame of /first-paint.js has been painted, a frame of the screen later at most; at once where none is shown, or where
 * nobody looks. What renders then does not hold it up.
 */
export function paintFirstFrame(): Promise<void> {
  const frame = document.getElementById('frame')
  if (!frame || frame.hidden || document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0))
    // A window that is covered while it loads may get no frames.
    setTimeout(resolve, 100)
  })
}
