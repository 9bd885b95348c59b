import type { RowOutcome } from '#web/data/import-contacts.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { WaitReason } from '#web/data/server/rpc-with-retries.ts'
import { formatCount } from '#web/lib/count.ts'
import { type CustomColumn, customColumn } from './column-words.ts'
import type { LeftOutCell, ReadRow, SkippedRow } from './contact-row.ts'
import { LeftOutRows, type LeftOutValue, reasonOf } from './left-out-rows.ts'
import { Rate } from './rate.ts'
import { RefusedRows } from './refused-rows.ts'
import type { RepeatedRow } from './repeated-rows.ts'
import type { Correction } from './rows-to-correct.ts'

/** The progress of an import, as the page shows it. */
export interface Progress {
  rows: number
  done: number
  imported: number
  skipped: number
  rowsPerSecond: number
  secondsLeft: number | null
  /** Why a request is being sent again, or null. */
  waiting: WaitReason | null
}

/** Maximum number of rows in a list on screen. The download has all rows. */
const maxListedRows = 200

/** Counts the results of the imported rows. */
export class Tally {
  imported = 0
  created = 0
  updated = 0
  changed = 0
  repeated = 0
  /** The names of tags that contacts did not get, as first spelled in the file, by the name in lower case. */
  readonly leftOutTags = new Map<string, string>()
  skipped = 0
  /** The skipped rows and the imported rows of which a value was left out, by row number. */
  readonly corrections = new Map<number, Correction>()
  private readonly shownSkipped: SkippedRow[] = []
  private readonly sentRows = new Map<number, ReadRow>()
  /** For sent rows: the number of the earlier row for the same contact. */
  private readonly firstRowNumbers = new Map<number, number>()
  private readonly shownRepeated: SkippedRow[] = []
  private readonly leftOut = new LeftOutRows(this.corrections)
  private readonly refused = new RefusedRows(this.corrections)
  /** For sent rows: the cells that are left out if the row is imported. */
  private readonly sentLeftOut = new Map<number, readonly LeftOutValue[]>()
  /** Number of new contacts without a value, by label of the required field. */
  readonly missing = new Map<string, number>()
  private readonly rate = new Rate()
  private waiting: WaitReason | null = null

  constructor(
    private readonly rows: number,
    private readonly fields: readonly CustomField[],
    private readonly onProgress: (progress: Progress) => void,
  ) {}

  addSent(rows: readonly ReadRow[]): void {
    for (const row of rows) this.sentRows.set(row.row, row)
  }

  addRepeated(rows: readonly RepeatedRow[]): void {
    for (const { row, first } of rows) this.firstRowNumbers.set(row, first)
  }

  addLeftOut(cells: readonly LeftOutCell[]): void {
    for (const cell of cells) this.sentLeftOut.set(cell.row, [...(this.sentLeftOut.get(cell.row) ?? []), cell])
  }

  addSkipped(rows: readonly SkippedRow[]): void {
    for (const row of rows) this.skip(row)
    if (rows.length > 0) this.report()
  }

  addOutcomes(outcomes: readonly RowOutcome[]): void {
    for (const { row, status, id, reason, left_out_tags: tags = [], left_out_values: values = [] } of outcomes) {
      for (const name of tags)
        if (!this.leftOutTags.has(name.toLowerCase())) this.leftOutTags.set(name.toLowerCase(), name)
      const sentRow = this.sentRows.get(row)
      const unsetValues = [
        ...(this.sentLeftOut.get(row) ?? []),
        ...values.map(({ field, reason }) => ({ target: this.columnOf(field), label: field, text: '', reason })),
      ]
      this.sentRows.delete(row)
      this.sentLeftOut.delete(row)
      const firstRow = this.firstRowNumbers.get(row) ?? row
      if (status === 'error') {
        this.skip({ row, content: contentOf(sentRow), reason: reason ?? 'Refused by the server' }, unsetValues)
        this.refused.add(row, firstRow, unsetValues)
      } else {
        this.imported += 1
        if (sentRow) this.refused.addImported(firstRow, sentRow, unsetValues)
        const contactId = sentRow?.email ? null : id
        this.leftOut.add({ row, firstRow, read: sentRow, contactId }, unsetValues)
        if (status === 'updated' && !this.firstRowNumbers.has(row)) this.changed += 1
        // A row that created a contact is not a repeated row: the earlier row for its contact was refused.
        if (status !== 'created') this.countRepeated(row, sentRow)
      }
      this.firstRowNumbers.delete(row)
      if (status === 'created') {
        this.created += 1
        this.countMissing(sentRow)
      }
      if (status === 'updated') this.updated += 1
    }
    this.report()
  }

  setWaiting(waiting: WaitReason | null): void {
    this.waiting = waiting
    this.report()
  }

  /** Returns the skipped rows for the list on screen, in the order of the file; at most 200. The next two lists have the same limit and order. */
  list(): SkippedRow[] {
    return byRow(this.shownSkipped)
  }

  leftOutList(): SkippedRow[] {
    return byRow(this.leftOut.list(maxListedRows))
  }

  /** The number of values of imported rows that were left out. */
  get leftOutCells(): number {
    return this.leftOut.count
  }

  repeatedList(): SkippedRow[] {
    return byRow(this.shownRepeated)
  }

  report(): void {
    const done = this.imported + this.skipped
    this.rate.mark(done, performance.now())
    this.onProgress({
      rows: this.rows,
      done,
      imported: this.imported,
      skipped: this.skipped,
      rowsPerSecond: this.rate.perSecond(),
      secondsLeft: this.rate.secondsFor(this.rows - done),
      waiting: this.waiting,
    })
  }

  private countRepeated(row: number, sentRow: ReadRow | undefined): void {
    const firstRowNumber = this.firstRowNumbers.get(row)
    if (firstRowNumber === undefined) return
    this.repeated += 1
    if (this.shownRepeated.length >= maxListedRows) return
    this.shownRepeated.push({
      row,
      content: contentOf(sentRow),
      reason: `${sentRow?.email ? 'Same address' : 'Same Banyan ID'} as row ${formatCount(firstRowNumber)}`,
    })
  }

  private countMissing(sentRow: ReadRow | undefined): void {
    for (const { id, label, required } of this.fields)
      if (required && sentRow && !(id in (sentRow.custom ?? {})))
        this.missing.set(label, (this.missing.get(label) ?? 0) + 1)
  }

  /** Returns the column of the custom field with this label; null if there is no such field. */
  private columnOf(label: string): CustomColumn | null {
    const field = this.fields.find((custom) => custom.label === label)
    return field ? customColumn(field.id) : null
  }

  private skip(row: SkippedRow, unsetValues: readonly LeftOutValue[] = []): void {
    this.skipped += 1
    this.corrections.set(row.row, { reason: [row.reason, ...unsetValues.map(reasonOf)].join('; ') })
    if (this.shownSkipped.length < maxListedRows) this.shownSkipped.push(row)
  }
}

function byRow(rows: readonly SkippedRow[]): SkippedRow[] {
  return [...rows].sort((a, b) => a.row - b.row)
}

function contentOf(row: ReadRow | undefined): string {
  if (!row) return ''
  const { email, phone, first_name, last_name, title, company } = row
  const cells = [email ?? phone, first_name, last_name, ...(title ? [title] : []), company]
  return cells.map((value) => value?.slice(0, 60) ?? '–').join(', ')
}
