import type { ReadPlan } from './plan.ts'

/** Rows of a plan that never need counting. Two full pages of the default size are below it. */
const smallTextLength = 4000

/**
 * Whether the rows of a plan may exceed the maximum answer. Estimated from the plan: rows times copies of a row (a
 * column that is selected again under another name is another copy), multiplied for embedded rows. If so, the statement
 * counts bytes while it builds the JSON; otherwise that cost is saved. `rows` null: as many as a write returns.
 */
export function mayBeTooLarge(read: ReadPlan, rows: number | null): boolean {
  return rows === null || copies(read, rows) > smallTextLength
}

function copies(read: ReadPlan, rows: number): number {
  let perRow = maxCopiesOfOneColumn(read)
  for (const output of read.outputs) {
    if (output.kind !== 'embed') continue
    const { relationship, read: below } = output.embed
    perRow += copies(below, relationship.toOne ? 1 : (below.limit ?? Number.POSITIVE_INFINITY))
  }
  return rows * perRow
}

function maxCopiesOfOneColumn({ outputs }: ReadPlan): number {
  let stars = 0
  const named = new Map<string, number>()
  for (const output of outputs) {
    if (output.kind === 'all') stars++
    if (output.kind === 'field') named.set(output.field.column.name, (named.get(output.field.column.name) ?? 0) + 1)
  }
  return stars + Math.max(0, ...named.values())
}
