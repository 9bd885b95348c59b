import type { Device } from '#web/data/browser/device.ts'
import { type RowOutcome, startContactImport } from '#web/data/import-contacts.ts'
import type { Waiting } from '#web/data/server/rpc-again.ts'
import type { FileSummary, SkippedRow } from './contact-file.ts'
import type { LeftOut, Report } from './report.ts'
import type { FileFailure } from './file-failure.ts'
import type { ReadRow } from './contact-row.ts'
import { type ColumnMap, unusedHeads } from './map-columns.ts'
import { openContactFile, type OpenFile } from './open-contact-file.ts'
import { Rate } from './rate.ts'

/** The progress of an import, as the page shows it. */
export interface Progress {
  rows: number
  done: number
  imported: number
  skipped: number
  rowsPerSecond: number
  secondsLeft: number | null
  /** Why a request is sent again. */
  waiting: Waiting | null
}

/** A valid file that waits to be imported. */
export interface CheckedFile {
  file: File
  open: OpenFile
  summary: FileSummary
}

export type CheckResult = { ok: false; failure: FileFailure } | ({ ok: true } & CheckedFile)

/** How many rows the list keeps; the download has all of them. */
const listed = 200

const namedLeftOut = 8

/** Checks the whole file. Never rejects because of it. */
export async function checkFile(file: File): Promise<CheckResult> {
  let open: OpenFile
  try {
    open = await openContactFile(file)
  } catch {
    const sentence = 'The file could not be read. It may have been moved, or is open in another program.'
    return { ok: false, failure: { sentence, line: null, lines: [] } }
  }
  if (open.opened.ok) return { ok: true, file, open, summary: open.opened.summary }
  open.close()
  return { ok: false, failure: open.opened.failure }
}

/**
 * Imports a checked file into the active brand: sends its rows in chunks, in order. Never rejects because of a file or a server; reports
 * progress to `onProgress`. `columns`: what the columns of the file are. `signal` stops it between two chunks.
 */
export async function runImport(
  device: Device,
  { file, open, summary }: CheckedFile,
  columns: ColumnMap,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Report> {
  const tally = new Tally(summary.rows, onProgress)
  const contacts = startContactImport(device, {
    fileName: file.name,
    signal,
    onOutcomes: (outcomes) => tally.addOutcomes(outcomes),
    onWaiting: (waiting) => tally.setWaiting(waiting),
  })
  tally.report()
  let message: string | null = null
  let reachedEnd = false
  try {
    while (!signal.aborted && !reachedEnd) {
      const batch = await open.next(contacts.chunkSize, columns)
      tally.addSkipped(batch.skipped)
      tally.addSent(batch.rows)
      await contacts.push(batch.rows)
      reachedEnd = batch.done
    }
    await contacts.finish()
  } catch (error) {
    message = error instanceof Error ? error.message : String(error)
  }
  const ended = signal.aborted && !reachedEnd ? 'stopped' : message === null ? 'complete' : 'failed'
  return {
    ended,
    message,
    rows: summary.rows,
    imported: tally.imported,
    created: tally.created,
    updated: tally.updated,
    importId: contacts.importId,
    errors: tally.reasons.size,
    skipped: tally.list(),
    leftOut: leftOutOf(summary, columns),
    writeSkipped: () => open.skippedFile(tally.reasons),
  }
}

function leftOutOf({ header, columnCount }: FileSummary, columns: ColumnMap): LeftOut {
  const heads = unusedHeads(header, columns)
  return {
    names: heads.slice(0, namedLeftOut).map((head) => head.trim()),
    count: heads.length + columnCount - header.length,
  }
}

/** Counts the results of the rows. */
class Tally {
  imported = 0
  created = 0
  updated = 0
  /** The line of each skipped row, and the reason. */
  readonly reasons = new Map<number, string>()
  private readonly shown: SkippedRow[] = []
  private readonly sentRows = new Map<number, ReadRow>()
  private readonly rate = new Rate()
  private waiting: Waiting | null = null

  constructor(
    private readonly rows: number,
    private readonly onProgress: (progress: Progress) => void,
  ) {}

  addSent(rows: readonly ReadRow[]): void {
    for (const row of rows) this.sentRows.set(row.row, row)
  }

  addSkipped(rows: readonly SkippedRow[]): void {
    for (const row of rows) this.skip(row)
    if (rows.length > 0) this.report()
  }

  addOutcomes(outcomes: readonly RowOutcome[]): void {
    for (const { row, status, reason } of outcomes) {
      const sent = this.sentRows.get(row)
      this.sentRows.delete(row)
      if (status === 'error') this.skip({ row, content: contentOf(sent), reason: reason ?? 'Refused by the server' })
      else this.imported += 1
      if (status === 'created') this.created += 1
      if (status === 'updated') this.updated += 1
    }
    this.report()
  }

  setWaiting(waiting: Waiting | null): void {
    this.waiting = waiting
    this.report()
  }

  list(): SkippedRow[] {
    return [...this.shown].sort((a, b) => a.row - b.row)
  }

  report(): void {
    const done = this.imported + this.reasons.size
    this.rate.mark(done, performance.now())
    this.onProgress({
      rows: this.rows,
      done,
      imported: this.imported,
      skipped: this.reasons.size,
      rowsPerSecond: this.rate.perSecond(),
      secondsLeft: this.rate.secondsFor(this.rows - done),
      waiting: this.waiting,
    })
  }

  private skip(row: SkippedRow): void {
    this.reasons.set(row.row, row.reason)
    if (this.shown.length < listed) this.shown.push(row)
  }
}

function contentOf(row: ReadRow | undefined): string {
  if (!row) return ''
  const { email, phone, first_name, last_name, title, company } = row
  const cells = [email ?? phone, first_name, last_name, ...(title ? [title] : []), company]
  return cells.map((value) => value?.slice(0, 60) ?? '–').join(', ')
}
