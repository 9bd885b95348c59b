import type { Device } from '#web/data/browser/device.ts'
import { brandFieldsOf } from '#web/data/brand-fields.ts'
import { startContactImport } from '#web/data/import-contacts.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { customColumn } from './column-words.ts'
import type { OpenResult } from './contact-file.ts'
import type { FileSummary } from './file-summary.ts'
import type { LeftOutNames, Report } from './report.ts'
import { type FileFailure, fileRefused } from './file-failure.ts'
import { type ColumnMap, unusedHeads } from './map-columns.ts'
import { openContactFile, type OpenFile } from './open-contact-file.ts'
import { type Progress, Tally } from './tally.ts'

/** A valid file that can be imported. */
export interface CheckedFile {
  file: File
  open: OpenFile
  summary: FileSummary
  /** The custom fields that its columns can map to: first those at the time of the check, later the current ones. */
  fields: readonly CustomField[]
}

export type CheckResult = { ok: false; failure: FileFailure } | ({ ok: true } & CheckedFile)

/** Maximum number of listed names of left-out columns and tags. */
const maxNames = 8

/** Checks the whole file. Never rejects because of the file. */
export async function checkFile(device: Device, file: File): Promise<CheckResult> {
  const fields = brandFieldsOf(device, 'contacts')
  let open: OpenFile
  try {
    open = await openContactFile(file, fields)
  } catch {
    return unreadableFile()
  }
  return checkedFile({ file, open, fields }, open.opened)
}

/** Checks a file again, with its first row as a contact (`headless`) or as the header. Never rejects because of the file. */
export async function checkFirstRowAs(checked: CheckedFile, headless: boolean): Promise<CheckResult> {
  try {
    return checkedFile(checked, await checked.open.readFirstRowAs(headless, checked.fields))
  } catch {
    checked.open.close()
    return unreadableFile()
  }
}

function checkedFile({ file, open, fields }: Omit<CheckedFile, 'summary'>, opened: OpenResult): CheckResult {
  if (opened.ok) return { ok: true, file, open, summary: opened.summary, fields }
  open.close()
  return { ok: false, failure: opened.failure }
}

function unreadableFile(): CheckResult {
  return fileRefused('The file could not be read. It may have been moved, or is open in another program.')
}

/**
 * Imports a checked file into the active brand: sends its rows in chunks, in order, and reports progress to `onProgress`. Never rejects
 * because of the file or the server. `columns`: the fields of the columns. `signal` stops the import between two chunks.
 */
export async function runImport(
  device: Device,
  { file, open, summary, fields }: CheckedFile,
  columns: ColumnMap,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Report> {
  const tally = new Tally(summary.rows, fields, onProgress)
  const contacts = startContactImport(device, {
    fileName: file.name,
    customFields: fields.filter(({ id }) => (columns[customColumn(id)] ?? -1) >= 0).length,
    signal,
    onOutcomes: (outcomes) => tally.addOutcomes(outcomes),
    onWaiting: (waiting) => tally.setWaiting(waiting),
  })
  tally.report()
  let message: string | null = null
  let isEndReached = false
  let isComplete = false
  try {
    while (!signal.aborted && !isEndReached) {
      const batch = await open.next(contacts.chunkSize, columns, fields)
      tally.addSkipped(batch.skipped)
      tally.addSent(batch.rows)
      tally.addRepeated(batch.repeated)
      tally.addLeftOut(batch.leftOut)
      await contacts.push(batch.rows)
      isEndReached = batch.done
    }
    isComplete = (await contacts.finish()) && isEndReached
  } catch (error) {
    message = error instanceof Error ? error.message : String(error)
  }
  const ended = isComplete ? 'complete' : message === null ? 'stopped' : 'failed'
  const { created, updated, changed } = (await contacts.readWritten()) ?? tally
  return {
    ended,
    message,
    rows: summary.rows,
    imported: isComplete ? tally.imported : countImported(summary.rows, tally, created + updated),
    created,
    updated,
    changed,
    importId: contacts.importId,
    errors: tally.skipped,
    skipped: tally.list(),
    leftOut: leftOutOf(summary, columns),
    leftOutTags: {
      names: [...tally.leftOutTags.values()].slice(0, maxNames),
      count: tally.leftOutTags.size,
    },
    leftOutCells: { count: tally.leftOutCells, rows: tally.leftOutList() },
    missing: [...tally.missing],
    repeated: tally.repeated,
    repeatedRows: tally.repeatedList(),
    toCorrect: tally.corrections.size,
    writeToCorrect: () => open.correctionFile(tally.corrections, columns, fields),
  }
}

/**
 * Returns the number of imported rows of an import that ended early. It is higher than the tally if outcomes of written rows did not arrive.
 * `written` counts a row each time that it was written.
 */
function countImported(rows: number, { imported, skipped }: Tally, written: number): number {
  return Math.min(rows - skipped, Math.max(imported, written))
}

function leftOutOf({ header, columnCount }: FileSummary, columns: ColumnMap): LeftOutNames {
  const heads = unusedHeads(header, columns)
  return {
    names: heads.slice(0, maxNames).map((head) => head.trim()),
    count: heads.length + columnCount - header.length,
  }
}
