/** The tasks that the overview shows. */
export type Whose = 'mine' | 'everyone'

const key = 'banyan-tasks-due'

/** Returns the choice stored on this device; the person's own tasks if nothing was chosen. */
export function readWhose(): Whose {
  try {
    return localStorage.getItem(key) === 'everyone' ? 'everyone' : 'mine'
  } catch {
    return 'mine'
  }
}

/** Stores the choice on this device. */
export function rememberWhose(whose: Whose): void {
  try {
    localStorage.setItem(key, whose)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
