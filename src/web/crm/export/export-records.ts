import type { Device } from '#web/data/browser/device.ts'
import { exportPages, type ExportQuery } from '#web/data/export-records.ts'
import type { Waiting } from '#web/data/server/rpc-again.ts'
import { csvLine } from '#web/lib/csv-line.ts'
import { exportColumns } from './export-columns.ts'

/** How an export ended: its file, and the number of records in it. */
export interface Exported {
  file: Blob
  count: number
  /** There is no connection, and some records are not on this device. */
  isPart: boolean
  /** Why the server refused to go on; null: it did not. */
  failure: string | null
}

interface ExportOptions {
  signal: AbortSignal
  onProgress: (count: number, total: number) => void
  onWaiting?: (waiting: Waiting | null) => void
}

/** Writes the records of a query as CSV: UTF-8 with a mark, because Excel otherwise does not read it. Never rejects. */
export async function exportRecords(
  device: Device,
  query: ExportQuery,
  { signal, onProgress, onWaiting }: ExportOptions,
): Promise<Exported> {
  const columns = exportColumns(device, query.table)
  // The browser keeps large parts on the disk; only one page is text at a time.
  const parts: Blob[] = [new Blob(['\uFEFF', csvLine(columns.map(({ head }) => head))])]
  let count = 0
  let isPart = false
  let failure: string | null = null
  try {
    for await (const page of exportPages(device, query, { signal, ...(onWaiting && { onWaiting }) })) {
      if (signal.aborted) break
      parts.push(new Blob(page.rows.map((row) => csvLine(columns.map(({ cell }) => cell(row, page))))))
      count += page.rows.length
      isPart = page.isPart
      onProgress(count, Math.max(count, page.total))
    }
  } catch (error) {
    if (!signal.aborted) failure = error instanceof Error ? error.message : String(error)
  }
  return { file: new Blob(parts, { type: 'text/csv;charset=utf-8' }), count, isPart, failure }
}
