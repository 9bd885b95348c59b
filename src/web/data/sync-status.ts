/**
 * For the badge. saved 'All changes saved'; sending 'Sending n' (only after half a second); offline 'Offline', `count` waiting (may
 * be 0); attention 'Needs attention'; sign-in: the session expired, 'Sign in to send your changes'. Null until known: show nothing.
 */
export interface SyncStatus {
  state: 'saved' | 'sending' | 'offline' | 'attention' | 'sign-in'
  count: number
}

export function useSyncStatus(): SyncStatus | null {
  return null
}

/** Two people changed the same field: values as they are stored. */
export interface FieldConflict {
  field: string
  base: unknown
  mine: unknown
  theirs: unknown
}

/** A line of the queue. `title` is ready to show: 'Move “Data migration” to Proposal'. */
export interface QueueLine {
  id: string
  icon: 'move' | 'edit' | 'contact' | 'company' | 'deal' | 'task'
  title: string
  /** When the edit was made, ISO. */
  at: string
  /** waiting: will be sent. failed: Retry, Discard. conflict: `resolveConflict`. deleted: Restore, Discard. */
  state: 'waiting' | 'failed' | 'conflict' | 'deleted'
  /** The server's sentence, or why it waits ('waits for the contact'). */
  reason: string | null
  /** Filled in state conflict; `theirsAt` ISO. */
  conflicts: readonly FieldConflict[]
  theirsAt: string | null
  theirsBy: string | null
}

/** The queue of the signed-in user on this device, in all tabs and brands. */
export function useQueue(): { ready: boolean; attention: readonly QueueLine[]; waiting: readonly QueueLine[] } {
  return { ready: false, attention: [], waiting: [] }
}

/** Sends a failed operation again. */
export function retryOperation(_id: string): Promise<void> {
  return Promise.resolve()
}

/** Gives an operation up; its preview goes. What depends on it goes too. */
export function discardOperation(_id: string): Promise<void> {
  return Promise.resolve()
}

/** State deleted: puts the record back on the server and then the edit onto it. */
export function restoreDeleted(_id: string): Promise<void> {
  return Promise.resolve()
}

/** State conflict: 'mine' sends mine over theirs, 'theirs' gives mine up. */
export function resolveConflict(_id: string, _keep: 'mine' | 'theirs'): Promise<void> {
  return Promise.resolve()
}

/** Operations of this user that the server does not have, failed ones included. */
export function countUnsent(): Promise<number> {
  return Promise.resolve(0)
}

/** Tries to send all that waits, for at most 10 s; true when nothing is left. */
export function sendUnsent(): Promise<boolean> {
  return Promise.resolve(true)
}

/** Somebody changed the same thing after me and theirs stands ('{name} moved {deal} to {stage} after you'): say `text` in a toast. */
export function onNotice(_listener: (notice: { text: string; table: string; rowId: string }) => void): () => void {
  return () => {}
}

/** False on plain http with a LAN address: say in one line that offline needs https or localhost. */
export const worksOffline: boolean = globalThis.isSecureContext !== false
