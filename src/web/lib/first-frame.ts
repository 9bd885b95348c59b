const storageKey = 'banyan-frame'

/**
 * Stores on this device whether somebody is signed in, but not who. /first-paint.js cannot read the session itself: it uses this value to
 * paint the frame of the pages before the app is loaded.
 */
export function storeHasSession(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(storageKey, '1')
    else localStorage.removeItem(storageKey)
  } catch {
    // Without storage, the app paints the frame itself.
  }
}
