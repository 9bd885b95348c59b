import type { Device } from '#web/data/browser/device.ts'
import { exportPages, type ExportQuery } from '#web/data/export-records.ts'
import type { WaitReason } from '#web/data/server/rpc-with-retries.ts'
import { csvLine } from '#web/lib/csv-line.ts'
import { beginWork } from '#web/lib/begin-work.ts'
import { exportColumns } from './export-columns.ts'

/** The result of an export: the file and its number of records. */
export interface ExportResult {
  file: Blob
  count: number
  /** True if there was no connection, and records are missing from the file because they are not on this device. */
  isPart: boolean
  /** True if there was no connection, and names of linked records are missing from the file because they are not on this device. */
  lacksNames: boolean
  /** The message of the error that ended the export early, such as the server's refusal. Null if there was none, or after a stop. */
  failure: string | null
}

interface ExportOptions {
  signal: AbortSignal
  onProgress: (count: number, total: number) => void
  onWaiting?: (waiting: WaitReason | null) => void
}

/** Writes the records of a query as CSV. The file is UTF-8 with a byte order mark, which Excel needs. Stops when `signal` aborts. Never rejects. */
export async function exportRecords(
  device: Device,
  query: ExportQuery,
  { signal, onProgress, onWaiting }: ExportOptions,
): Promise<ExportResult> {
  const columns = exportColumns(device, query.table)
  // The browser can keep blobs on the disk, so only one page of records is in memory as text.
  const parts: Blob[] = [new Blob(['\uFEFF', csvLine(columns.map(({ head }) => head))])]
  let count = 0
  let isPart = false
  let lacksNames = false
  let failure: string | null = null
  const endWork = beginWork()
  // A stopped export may still wait for the response of its last request.
  signal.addEventListener('abort', endWork)
  try {
    for await (const page of exportPages(device, query, { signal, ...(onWaiting && { onWaiting }) })) {
      if (signal.aborted) break
      parts.push(new Blob(page.rows.map((row) => csvLine(columns.map(({ cell }) => cell(row, page))))))
      count += page.rows.length
      isPart ||= page.isPart
      lacksNames ||= page.lacksNames
      onProgress(count, Math.max(count, page.total))
    }
  } catch (error) {
    if (!signal.aborted) failure = error instanceof Error ? error.message : String(error)
  }
  endWork()
  return { file: new Blob(parts, { type: 'text/csv;charset=utf-8' }), count, isPart, lacksNames, failure }
}
