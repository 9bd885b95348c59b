import type { Area } from './areas.ts'

/** One small change of a text. Offsets are those in the unchanged text. */
export interface Change {
  start: number
  end: number
  to: string
}

/** A change that some test should notice. */
export interface Mutant extends Change {
  /** Identifies the mutant across runs: file, text of the line, and change. Changes of other lines do not affect it. */
  key: string
  area: Area
  /** A source file, or a function's signature (`private.write_tombstone()`). */
  file: string
  line: number
  lineText: string
  from: string
  /** Offset of the block that contains the change. The mutant is tried with the tests that run this block. Null outside of blocks, and in SQL. */
  block: number | null
}

/** Applies a change to a text. */
export function applyChange(text: string, { start, end, to }: Change): string {
  return text.slice(0, start) + to + text.slice(end)
}

/** Makes mutants from changes: adds the key and the line. Equal keys get a number, so that each key is unique. */
export function toMutants(
  area: Area,
  file: string,
  text: string,
  changes: readonly (Change & { block: number | null })[],
): Mutant[] {
  const countByKey = new Map<string, number>()
  return changes.map((change) => {
    const lineStart = text.lastIndexOf('\n', change.start - 1) + 1
    const lineEnd = text.indexOf('\n', change.start)
    const lineText = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd).trim()
    const from = text.slice(change.start, change.end)
    const keyWithoutNumber = `${file} # ${lineText} # ${shortLine(from)} → ${shortLine(change.to)}`
    const occurrence = (countByKey.get(keyWithoutNumber) ?? 0) + 1
    countByKey.set(keyWithoutNumber, occurrence)
    const line = text.slice(0, change.start).split('\n').length
    return {
      ...change,
      area,
      file,
      line,
      lineText,
      from,
      key: occurrence === 1 ? keyWithoutNumber : `${keyWithoutNumber} # ${occurrence}`,
    }
  })
}

/** Returns code as one line of at most 80 characters. */
export function shortLine(code: string): string {
  const flat = code.replaceAll(/\s+/g, ' ').trim()
  return flat.length > 80 ? `${flat.slice(0, 77)}…` : flat
}
