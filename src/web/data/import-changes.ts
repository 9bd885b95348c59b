import type { Device } from '#web/data/browser/device.ts'
import type { ImportRow } from '#web/data/import-contacts.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'

/** What an import may change in a contact that is known, as people read it. */
export interface ImportValues {
  first_name: string | null
  last_name: string | null
  phone: string | null
  title: string | null
  company: string | null
  /** Their names. */
  tags: string | null
  /** By the ids of fields, as they are stored; absent in what an import of an earlier version has kept. */
  custom?: Readonly<Record<string, unknown>>
}

/** A known contact that an import changes. */
export interface ImportChange {
  id: string
  email: string
  before: ImportValues
  after: ImportValues
  /** Somebody or a later import has changed it since: `after` is what it holds now. */
  changed_since?: boolean
}

/** `contacts` are the first ones of `count`. */
export interface ImportChanges {
  count: number
  contacts: readonly ImportChange[]
}

/** The known contacts that an import of the active brand has changed; none where it is undone. Rejects with the server's error. */
export function readImportChanges(device: Device, importId: string): Promise<ImportChanges> {
  return ask(device, 'import_changes', { p_import_id: importId })
}

/** How many rows of a file are compared before its import: as many as the server takes. */
export const comparedRows = 5_000
const listed = 200

/**
 * The known contacts of the active brand that an import of these rows would change, in the order of the rows; writes nothing. Rejects with
 * the server's error, or when `signal` ends it.
 */
export async function previewImport(
  device: Device,
  rows: readonly ImportRow[],
  signal: AbortSignal,
): Promise<ImportChanges> {
  const contacts = await ask<ImportChange[]>(device, 'preview_import', { p_rows: rows }, signal)
  return { count: contacts.length, contacts: contacts.slice(0, listed) }
}

function ask<T>(device: Device, name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<T> {
  const { brandId } = activeBrandState(device).get()
  const { session } = sessionState(device).get()
  return rpc(device, session?.userId ?? '', name, { p_brand_id: brandId, ...args }, signal)
}
