import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { rpcAgain } from '#web/data/server/rpc-again.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import { sessionState } from '#web/data/session/session.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

/** An import of the active brand that has written something. */
export interface PastImport {
  id: string
  file_name: string | null
  /** Contacts that it added, and contacts of before that it changed. */
  created: number
  updated: number
  started_at: string
  started_by: string | null
  deleted_contacts: number
  deleted_companies: number
  /** Contacts of before that have their values back; and whether there are more to restore. */
  restored_contacts: number
  holds_values: boolean
  undone_at: string | null
}

/**
 * What an undo would do: the contacts that go, and those that stay because they were changed or are used; contacts of before that get their
 * values back, and those that somebody or a later import has changed since; and the companies that it added and that nobody uses already.
 */
export interface UndoPlan {
  removable: number
  kept: number
  restorable: number
  changed: number
  unused_companies: number
}

/** What an undo has done so far; `kept` and `changed` are null until it is done. */
export interface UndoneImport {
  done: boolean
  contacts: number
  companies: number
  restored: number
  kept: number | null
  changed: number | null
}

/** The latest imports of the active brand, newest first (RPC read_imports). */
export const pastImports = onlineValue<PastImport[]>((device, userId) => {
  return rpc(device, userId, 'read_imports', { p_brand_id: activeBrandState(device).get().brandId })
}, activeBrandState)

/** Asks what an undo of this import would do. Rejects with the server's error. */
export async function planUndo(device: Device, importId: string): Promise<UndoPlan> {
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_import_id: importId }
  const [found] = await rpc<UndoPlan[]>(device, userId(device), 'read_imports', args)
  return found ?? { removable: 0, kept: 0, restorable: 0, changed: 0, unused_companies: 0 }
}

/** The imports that this tab is taking back, with the contacts that are gone or restored so far. */
const running = devicePart(() => observable<ReadonlyMap<string, number>>(new Map()))

/** How many contacts of the import are gone or restored so far; null: it is not being taken back. */
export function useUndoProgress(importId: string): number | null {
  return useObservable(running(useDevice())).get(importId) ?? null
}

/**
 * Deletes what an import has added and restores what it has changed, in requests of 500 rows, and pulls. A request without an answer is sent again. Rejects with the server's
 * error: then a part may be gone, and another call continues.
 */
export async function undoImport(device: Device, importId: string): Promise<UndoneImport> {
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_import_id: importId }
  const user = userId(device)
  const { signal } = new AbortController()
  note(device, importId, 0)
  try {
    for (;;) {
      const answer = await rpcAgain<UndoneImport>(device, user, 'undo_import', args, { signal })
      note(device, importId, answer.contacts + answer.restored)
      if (answer.done) return answer
    }
  } finally {
    note(device, importId, null)
    void requestPull(device)
    void pastImports(device).reload()
  }
}

function note(device: Device, importId: string, contacts: number | null): void {
  const next = new Map(running(device).get())
  if (contacts === null) next.delete(importId)
  else next.set(importId, contacts)
  running(device).set(next)
}

function userId(device: Device): string {
  return sessionState(device).get().session?.userId ?? ''
}
