/** Whose tasks the overview shows. */
export type TaskScope = 'mine' | 'everyone'

const storageKey = 'banyan-tasks-due'

/** Returns the choice stored on this device; the person's own tasks if nothing was chosen. */
export function readTaskScope(): TaskScope {
  try {
    return localStorage.getItem(storageKey) === 'everyone' ? 'everyone' : 'mine'
  } catch {
    return 'mine'
  }
}

/** Stores the choice on this device. */
export function storeTaskScope(scope: TaskScope): void {
  try {
    localStorage.setItem(storageKey, scope)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
