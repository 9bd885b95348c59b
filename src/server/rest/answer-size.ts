import type { ReadPlan } from './plan.ts'

/** Whole rows; a plain read of two full pages of the default size is below it. */
const smallTextLength = 4000

/**
 * Whether the rows of a plan may come to more than an answer can hold, judged by its shape: rows times copies of a row (a
 * column that is selected again under another name is a further copy), embedded rows multiplied. Then the statement itself
 * counts bytes while it builds the JSON; what is small for sure is spared that. `rows` null: as many as a write returns.
 */
export function mayGrow(read: ReadPlan, rows: number | null): boolean {
  return rows === null || copies(read, rows) > smallTextLength
}

function copies(read: ReadPlan, rows: number): number {
  let perRow = mostCopiesOfOneColumn(read)
  for (const output of read.outputs) {
    if (output.kind !== 'embed') continue
    const { relationship, read: below } = output.embed
    perRow += copies(below, relationship.toOne ? 1 : (below.limit ?? Number.POSITIVE_INFINITY))
  }
  return rows * perRow
}

function mostCopiesOfOneColumn({ outputs }: ReadPlan): number {
  let stars = 0
  const named = new Map<string, number>()
  for (const output of outputs) {
    if (output.kind === 'all') stars++
    if (output.kind === 'field') named.set(output.field.column.name, (named.get(output.field.column.name) ?? 0) + 1)
  }
  return stars + Math.max(0, ...named.values())
}
