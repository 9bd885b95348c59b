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
