import type { Device } from '#web/data/browser/device.ts'
import { type ImportRow, maxRequestBytes } from '#web/data/import-contacts.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { type Chunk, chunksBySize } from './chunks-by-size.ts'

/** The values of a known contact that an import may change, in readable form. */
export interface ImportValues {
  /** Absent if the contact had an email address, because an import never replaces an email address. */
  email?: string | null
  first_name: string | null
  last_name: string | null
  phone: string | null
  title: string | null
  company: string | null
  /** The names of the tags. */
  tags: string | null
  /** Stored values by the ids of custom fields. Absent for imports by earlier versions. */
  custom?: Readonly<Record<string, unknown>>
}

/** A known contact that an import changes. */
export interface ImportChange {
  id: string
  /** The present email address. */
  email: string | null
  before: ImportValues
  after: ImportValues
  /** True if somebody, or a later import, has changed the contact since. Then `after` has its present values. */
  changed_since?: boolean
}

/** The known contacts that an import changes. `count`: their number. `contacts`: the first of them. */
export interface ImportChanges {
  count: number
  contacts: readonly ImportChange[]
}

/**
 * Reads the known contacts that an import of the active brand has changed. None if the import was undone. Rejects with the server's error.
 */
export function readImportChanges(device: Device, importId: string): Promise<ImportChanges> {
  return call(device, 'import_changes', { p_import_id: importId })
}

/** Maximum rows of a file that are compared before its import: as many as the server accepts. Fewer if they are long. */
export const maxComparedRows = 5_000
/** Maximum length of the compared rows, in bytes of JSON. The server accepts bodies of 768 KiB. */
const maxComparedBytes = 700_000
const maxListedContacts = 200

/** What an import would change. */
export interface ImportPreview extends ImportChanges {
  /** The number of rows that were compared. */
  comparedRows: number
  /** The numbers of the rows that are too long to be imported. They are not compared. */
  tooLongRows: readonly number[]
}

/**
 * Returns the known contacts of the active brand that an import of these rows would change, in the order of the rows: `contacts` has the first 200.
 * Compares as many of the first rows as one request can contain. Writes nothing. Rejects with the server's error, or when `signal` is aborted.
 */
export async function previewImport(
  device: Device,
  rows: readonly ImportRow[],
  signal: AbortSignal,
): Promise<ImportPreview> {
  const chunks = [...chunksBySize(rows, maxRequestBytes)]
  const isTooLong = ({ bytes }: Chunk<ImportRow>) => bytes > maxRequestBytes
  const importableRows = chunks.flatMap((chunk) => (isTooLong(chunk) ? [] : chunk.rows))
  const [compared = { rows: [] }] = chunksBySize(importableRows, maxComparedBytes)
  const contacts = await call<ImportChange[]>(device, 'preview_import', { p_rows: compared.rows }, signal)
  return {
    count: contacts.length,
    contacts: contacts.slice(0, maxListedContacts),
    comparedRows: compared.rows.length,
    tooLongRows: chunks.filter(isTooLong).flatMap((chunk) => chunk.rows.map(({ row }) => row)),
  }
}

function call<T>(device: Device, name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<T> {
  const { brandId } = activeBrandState(device).get()
  const { session } = sessionState(device).get()
  return rpc(device, session?.userId ?? '', name, { p_brand_id: brandId, ...args }, signal)
}
