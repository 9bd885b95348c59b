const KEY = 'banyan-frame'

/**
 * Notes on this device whether somebody is signed in, so that /frame.js can paint the frame of the pages before the app is loaded. Says
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
