import { observable, useObservable } from '#web/lib/observable.ts'

/** The disk is full: copies of what the server has are no longer kept here, unsent changes are. */
export const noRoom = observable(false)

/** The same for screens, which say so. */
export function useNoRoom(): boolean {
  return useObservable(noRoom)
}

/** Whether the disk refused for want of room; Dexie wraps what IndexedDB said. */
export function isNoRoom(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, inner, failures } = error as { name?: unknown; inner?: unknown; failures?: unknown }
  if (name === 'QuotaExceededError') return true
  return isNoRoom(inner) || (Array.isArray(failures) && failures.some(isNoRoom))
}
