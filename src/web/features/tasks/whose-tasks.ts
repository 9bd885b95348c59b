/** Whose tasks the overview shows. */
export type Whose = 'mine' | 'everyone'

const key = 'banyan-tasks-due'

/** The choice of this device; one's own tasks where nothing was chosen. */
export function readWhose(): Whose {
  try {
    return localStorage.getItem(key) === 'everyone' ? 'everyone' : 'mine'
  } catch {
    return 'mine'
  }
}

/** Keeps the choice on this device. */
export function rememberWhose(whose: Whose): void {
  try {
    localStorage.setItem(key, whose)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
