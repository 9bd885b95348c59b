import type { Device } from '#web/data/browser/device.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { type RetryOptions, rpcWithRetries } from '#web/data/server/rpc-with-retries.ts'
import { sessionState } from '#web/data/session/session.ts'

export interface ImportEnd {
  brandId: string | null
  importId: string
  /** True if all rows were read. */
  isComplete: boolean
  /** Number of imported rows. */
  imported: number
  /** Number of rows that were not imported. */
  skipped: number
  /** True if the report is on screen, so that no notification is needed. */
  isSeen: boolean
}

/**
 * Reports the start of an import to the server, so that its end can cause a notification. Never rejects, because the import does not
 * depend on it.
 */
export async function beginImport(device: Device, brandId: string | null, importId: string, fileName?: string) {
  const args = { p_brand_id: brandId, p_import_id: importId, p_file: fileName ?? null }
  await rpc(device, userIdOf(device), 'begin_import', args).catch(logUnreported)
}

/**
 * Reports the end of an import to the server. The request is sent again until the server answers. If the page is closed before that, the
 * server detects the end itself.
 */
export async function endImport(device: Device, end: ImportEnd): Promise<void> {
  const args = {
    p_brand_id: end.brandId,
    p_import_id: end.importId,
    p_is_complete: end.isComplete,
    p_imported: end.imported,
    p_skipped: end.skipped,
    p_is_seen: end.isSeen,
  }
  const { signal } = new AbortController()
  await rpcWithRetries(device, userIdOf(device), 'end_import', args, { signal }).catch(logUnreported)
}

/** What an import has written, as the server counts it. */
export interface WrittenContacts {
  /** The number of contacts that it added. */
  created: number
  /** How often a row changed a contact. A row that was sent again counts again. */
  updated: number
  /** The number of contacts that existed before the import, and were changed by it. */
  changed: number
}

/** Reads what an import has written. Sends each request again until the server answers. Rejects as `rpcWithRetries` does. */
export async function readWrittenContacts(
  device: Device,
  brandId: string | null,
  importId: string,
  options: RetryOptions,
): Promise<WrittenContacts> {
  const read = <T>(name: string) =>
    rpcWithRetries<T>(device, userIdOf(device), name, { p_brand_id: brandId, p_import_id: importId }, options)
  const [written] = await read<{ created: number; updated: number }[]>('read_imports')
  if (!written) return { created: 0, updated: 0, changed: 0 }
  const { created, updated } = written
  return { created, updated, changed: updated > 0 ? (await read<{ count: number }>('import_changes')).count : 0 }
}

function userIdOf(device: Device): string {
  return sessionState(device).get().session?.userId ?? ''
}

function logUnreported(error: unknown): void {
  console.info('The start or the end of an import could not be reported to the server.', error)
}
