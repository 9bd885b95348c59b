import type { ReadPlan } from './plan.ts'

/**
 * A statement counts the bytes of its rows only above this estimated number of rows. It is four times the default maximum
 * of a page (`MAX_ROWS`).
 */
const maxUncountedRows = 4000

/**
 * Estimates from a plan whether its rows may exceed the maximum size of a response. If they may, the statement counts the
 * bytes while it builds the JSON; otherwise this cost is saved. The estimate of a row is the number of its copies (a column
 * that is selected again under another name makes another copy), plus the estimates of its embedded rows. If `rows` is null,
 * the number of rows is not limited, as in a write.
 */
export function mayBeTooLarge(read: ReadPlan, rows: number | null): boolean {
  return rows === null || estimateRows(read, rows) > maxUncountedRows
}

/**
 * Whether the estimate of `mayBeTooLarge` is at most one row: no column is selected twice, and an embedded row is not selected
 * together with columns of its parent.
 */
export function isSingleRow(read: ReadPlan, rows: number | null): boolean {
  return rows !== null && estimateRows(read, rows) <= 1
}

function estimateRows(read: ReadPlan, rows: number): number {
  let perRow = maxCopiesOfOneColumn(read)
  for (const output of read.outputs) {
    if (output.kind !== 'embed') continue
    const { relationship, read: embeddedRead } = output.embed
    perRow += estimateRows(embeddedRead, relationship.isToOne ? 1 : (embeddedRead.limit ?? Number.POSITIVE_INFINITY))
  }
  return rows * perRow
}

/** Returns how often the level selects its most repeated column. */
function maxCopiesOfOneColumn({ outputs }: ReadPlan): number {
  let stars = 0
  const named = new Map<string, number>()
  for (const output of outputs) {
    if (output.kind === 'all') stars++
    if (output.kind === 'field') named.set(output.field.column.name, (named.get(output.field.column.name) ?? 0) + 1)
  }
  return stars + Math.max(0, ...named.values())
}
