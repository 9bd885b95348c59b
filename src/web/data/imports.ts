import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { rpcWithRetries } from '#web/data/server/rpc-with-retries.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import { sessionState } from '#web/data/session/session.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

/** An import of the active brand that has written something. */
export interface PastImport {
  id: string
  file_name: string | null
  /** Number of contacts that it added (`created`), and of existing contacts that it changed (`updated`). */
  created: number
  updated: number
  started_at: string
  started_by: string | null
  deleted_contacts: number
  deleted_companies: number
  /** Number of existing contacts whose values were restored, and whether more can be restored (`holds_values`). */
  restored_contacts: number
  holds_values: boolean
  undone_at: string | null
}

/**
 * The effect that an undo would have. `removable`: contacts to delete. `kept`: contacts that stay because they were changed or are used.
 * `restorable`: existing contacts that get their values back. `changed`: existing contacts that do not get them back, because somebody, or a later
 * import, has changed them since. `unused_companies`: companies that the import added and that nobody uses.
 */
export interface UndoPlan {
  removable: number
  kept: number
  restorable: number
  changed: number
  unused_companies: number
}

/** What an undo has done so far: deleted contacts and companies, and restored contacts. `kept` and `changed` are null until `done` is true. */
export interface UndoneImport {
  done: boolean
  contacts: number
  companies: number
  restored: number
  kept: number | null
  changed: number | null
}

/** The latest 20 imports of the active brand that have written something, newest first (RPC read_imports). */
export const pastImports = onlineValue<PastImport[]>((device, userId) => {
  return rpc(device, userId, 'read_imports', { p_brand_id: activeBrandState(device).get().brandId })
}, activeBrandState)

/**
 * Reads the effect that an undo of this import would have. All numbers are 0 if the server does not know the import. Rejects with the server's error.
 */
export async function planUndo(device: Device, importId: string): Promise<UndoPlan> {
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_import_id: importId }
  const [found] = await rpc<UndoPlan[]>(device, userIdOf(device), 'read_imports', args)
  return found ?? { removable: 0, kept: 0, restorable: 0, changed: 0, unused_companies: 0 }
}

/** The imports that this tab is undoing, with the number of contacts that are deleted or restored so far. */
const undoProgress = devicePart(() => observable<ReadonlyMap<string, number>>(new Map()))

/** Returns how many contacts of the import are deleted or restored so far. Null if this tab is not undoing the import. */
export function useUndoProgress(importId: string): number | null {
  return useObservable(undoProgress(useDevice())).get(importId) ?? null
}

/**
 * Undoes an import: deletes the records that it added and restores the values that it changed, in requests of 500 rows, and then pulls. A request
 * without an answer is sent again. Rejects with the server's error. Then a part may be undone, and another call continues.
 */
export async function undoImport(device: Device, importId: string): Promise<UndoneImport> {
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_import_id: importId }
  const user = userIdOf(device)
  const { signal } = new AbortController()
  setProgress(device, importId, 0)
  try {
    for (;;) {
      const answer = await rpcWithRetries<UndoneImport>(device, user, 'undo_import', args, { signal })
      setProgress(device, importId, answer.contacts + answer.restored)
      if (answer.done) return answer
    }
  } finally {
    setProgress(device, importId, null)
    void requestPull(device)
    void pastImports(device).reload()
  }
}

function setProgress(device: Device, importId: string, contacts: number | null): void {
  const next = new Map(undoProgress(device).get())
  if (contacts === null) next.delete(importId)
  else next.set(importId, contacts)
  undoProgress(device).set(next)
}

function userIdOf(device: Device): string {
  return sessionState(device).get().session?.userId ?? ''
}
