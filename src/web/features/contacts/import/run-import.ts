import type { Device } from '#web/data/browser/device.ts'
import { type RowOutcome, startContactImport, type Waiting } from '#web/data/import-contacts.ts'
import type { FileSummary, LeftOut, SkippedRow } from './contact-file.ts'
import type { FileFailure } from './file-failure.ts'
import type { ReadRow } from './contact-row.ts'
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

export interface Report {
  ended: 'complete' | 'stopped' | 'failed'
  /** When it failed: the server's message. */
  message: string | null
  rows: number
  imported: number
  errors: number
  /** The first few, for the list on screen. */
  skipped: readonly SkippedRow[]
  /** The first line of the file, when no column is called email. */
  headerWithoutEmail: readonly string[] | null
  leftOut: LeftOut
  writeSkipped(): Promise<Blob>
}

export type ImportResult = { kind: 'unreadable'; failure: FileFailure } | { kind: 'report'; report: Report }

/** How many rows the list keeps; the download has all of them. */
const listed = 200

/**
 * Imports a file into the active brand: checks the whole file, then sends its rows in chunks, in order. Never rejects because of a file or
 * a server; reports progress to `onProgress`. `signal` stops it between two chunks.
 */
export async function runImport(
  device: Device,
  file: File,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ImportResult> {
  let open: OpenFile
  try {
    open = await openContactFile(file)
  } catch {
    const sentence = 'The file could not be read. It may have been moved, or is open in another program.'
    return { kind: 'unreadable', failure: { sentence, line: null, lines: [] } }
  }
  if (!open.opened.ok) {
    open.close()
    return { kind: 'unreadable', failure: open.opened.failure }
  }
  return { kind: 'report', report: await send(device, open, open.opened.summary, signal, onProgress) }
}

async function send(
  device: Device,
  open: OpenFile,
  summary: FileSummary,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Report> {
  const tally = new Tally(summary.rows, onProgress)
  const contacts = startContactImport(device, {
    signal,
    onOutcomes: (outcomes) => tally.addOutcomes(outcomes),
    onWaiting: (waiting) => tally.setWaiting(waiting),
  })
  tally.report()
  let message: string | null = null
  let reachedEnd = false
  try {
    while (!signal.aborted && !reachedEnd) {
      const batch = await open.next(contacts.chunkSize)
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
    errors: tally.reasons.size,
    skipped: tally.list(),
    headerWithoutEmail: summary.hasEmail ? null : summary.header,
    leftOut: summary.leftOut,
    writeSkipped: () => open.skippedFile(tally.reasons),
  }
}

/** Counts the results of the rows. */
class Tally {
  imported = 0
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
  return [row.email, row.first_name, row.last_name, row.company].map((value) => value?.slice(0, 60) ?? '–').join(', ')
}
