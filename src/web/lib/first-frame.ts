const key = 'banyan-frame'

/**
 * Stores on this device whether a session exists, so that /first-paint.js can paint the frame of the pages before the app is loaded. That script
 * cannot read the session itself. It does not store which user is signed in.
 */
export function recordHasSession(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {
    // Without storage, the app paints the frame itself.
  }
}
