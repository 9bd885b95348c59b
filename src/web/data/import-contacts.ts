import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { type RetryOptions, rpcWithRetries, type WaitReason } from '#web/data/server/rpc-with-retries.ts'
import { newId } from '#web/lib/new-id.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { sessionState } from '#web/data/session/session.ts'
import { beginImport, readWrittenContacts, type WrittenContacts } from './import-run.ts'
import { type Chunk, chunksBySize } from './chunks-by-size.ts'

/** A row of the file. `row` is its row number in a spreadsheet. */
export interface ImportRow {
  row: number
  email: string | null
  phone?: string | null
  first_name: string | null
  last_name: string | null
  title?: string | null
  company: string | null
  /** Names, separated by commas or semicolons. */
  tags?: string
  /**
   * The id of a known contact. A row without an email address updates this contact. A row whose email address no contact has updates this contact
   * only if the contact has no email address.
   */
  id?: string | undefined
  /** The values of custom fields, by field id. */
  custom?: Readonly<Record<string, unknown>>
}

/** What the server has done with a row of the file. `id`: the id of the contact, or null. `reason`: why the row was refused, or null. */
export interface RowOutcome {
  row: number
  status: 'created' | 'updated' | 'unchanged' | 'error'
  id: string | null
  reason: string | null
  /** Names of tags that the contact did not get, because they do not exist and members cannot add tags, or because there are too many. */
  left_out_tags?: readonly string[]
  /** Values of custom fields that the contact did not get: the label of the field, and the reason. */
  left_out_values?: readonly { field: string; reason: string }[]
}

/** A running import. */
export interface ContactImport {
  /** The id for `undoImport`. */
  importId: string
  /** Maximum rows per call of `push`. */
  chunkSize: number
  /**
   * Adds a chunk. It is sent in several requests if it is too large for one. A row that is too large by itself is not sent, and has the status
   * 'error'. Resolves when the next chunk can be added. At most one request is being sent and one waits, so that the file is not parsed faster than
   * it is sent. Rejects if an earlier chunk has failed. Sends nothing after the import was stopped.
   */
  push(rows: readonly ImportRow[]): Promise<void>
  /**
   * Starts a pull when every chunk has its outcomes or was not sent. Resolves to true if all rows have their outcomes, and to false if the import
   * was stopped before that. Rejects with the server's error.
   */
  finish(): Promise<boolean>
  /**
   * Reads what the import has written, if a request was sent again. The outcomes are then those of the repeated request, which may have found its
   * rows imported already. Resolves to null if no request was sent again, or if what was written cannot be read.
   */
  readWritten(): Promise<WrittenContacts | null>
}

export interface ContactImportOptions {
  /** The name of the file, for the list of imports. */
  fileName?: string
  /** Maximum number of custom fields in the rows. Default: 0. */
  customFields?: number
  signal: AbortSignal
  onOutcomes: (outcomes: readonly RowOutcome[]) => void
  /** Called with the reason before a chunk is sent again, and with null when the repeated request has succeeded. */
  onWaiting?: (waiting: WaitReason | null) => void
}

const chunkSize = 500
/** Maximum number of custom field values per call. The server checks each value, and a call must end within its time limit. */
const maxCustomValues = 25_000
/**
 * Maximum length of the rows of a request, in bytes of JSON. A longer row is not imported. The server accepts bodies of 768 KiB.
 */
export const maxRequestBytes = 500_000
const maxPendingRequests = 2

/**
 * Starts an import into the active brand (online only). A chunk without an answer is sent again. This is safe, because rows are matched by email
 * address, and rows without one by the contact's id or their row number. `signal` stops the import after the chunk that is being sent, whose
 * outcomes are still reported. Imported rows stay. `onOutcomes` gets the outcomes of each chunk, in the order of the chunks.
 */
export function startContactImport(
  device: Device,
  { fileName, customFields = 0, signal, onOutcomes, onWaiting }: ContactImportOptions,
): ContactImport {
  const { brandId } = activeBrandState(device).get()
  const { session } = sessionState(device).get()
  const importId = newId()
  let pending: Promise<void>[] = []
  // The chunks are sent one after the other, because the order of the file decides between rows with the same email address or company name.
  let latest: Promise<void> = beginImport(device, brandId, importId, fileName)
  let failure: unknown = null
  let hasUnsentRows = false
  let wasSentAgain = false
  const retryOptions: RetryOptions = {
    signal,
    onWaiting: (waiting) => {
      wasSentAgain = true
      onWaiting?.(waiting)
    },
  }

  async function send({ rows, bytes }: Chunk<ImportRow>): Promise<RowOutcome[]> {
    if (bytes > maxRequestBytes) return rows.map(tooLargeOutcome)
    const args = { p_brand_id: brandId, p_import_id: importId, p_rows: rows, p_file: fileName ?? null }
    return rpcWithRetries(device, session?.userId ?? '', 'import_contacts', args, retryOptions)
  }

  async function sendAfterOthers(chunk: Chunk<ImportRow>): Promise<void> {
    latest = latest.then(async () => {
      if (failure) return
      try {
        if (signal.aborted) hasUnsentRows = true
        else onOutcomes(await send(chunk))
      } catch (error) {
        // The import was stopped while the chunk waited to be sent again.
        if (signal.aborted && error instanceof RpcError && error.isTemporary) hasUnsentRows = true
        else failure = error
      }
    })
    const request: Promise<void> = latest.finally(() => {
      pending = pending.filter((other) => other !== request)
    })
    pending.push(request)
    if (pending.length >= maxPendingRequests) await Promise.race(pending)
  }

  return {
    importId,
    chunkSize: Math.min(chunkSize, Math.floor(maxCustomValues / Math.max(1, customFields))),
    async push(rows) {
      if (failure) throw failure
      for (const chunk of chunksBySize(rows, maxRequestBytes)) await sendAfterOthers(chunk)
    },
    async finish() {
      await latest
      void requestPull(device)
      if (failure) throw failure
      return !hasUnsentRows
    },
    async readWritten() {
      if (!wasSentAgain) return null
      return readWrittenContacts(device, brandId, importId, retryOptions).catch(() => null)
    },
  }
}

function tooLargeOutcome({ row }: ImportRow): RowOutcome {
  return { row, status: 'error', id: null, reason: 'The row is longer than 500 kB' }
}
