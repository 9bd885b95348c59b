import { compareNames } from '#web/lib/names.ts'
import type { Change } from './collection.ts'

/** Less than 0: `a` comes first. Must tell any two rows apart (end with the id), so that a place is found again. */
export type Order<Row> = (a: Row, b: Row) => number

/**
 * Rows kept in order while they change: a change costs one pass and no new sorting, so ten thousand rows that arrive in slices
 * never hold the page up.
 */
export class SortedList<Row extends { id: string }> {
  private list: readonly Row[] = []

  constructor(
    private readonly order: Order<Row>,
    private readonly belongs: (row: Row) => boolean,
  ) {}

  /** The rows in order; another array after each change. */
  get rows(): readonly Row[] {
    return this.list
  }

  fill(rows: Iterable<Row>): void {
    this.list = Array.from(rows).filter(this.belongs).sort(this.order)
  }

  /** Takes changes in; true when the list is another one now. */
  apply(changes: readonly Change<Row>[]): boolean {
    const gone = new Set<string>()
    const last = new Map<string, Row>()
    for (const { id, before, after } of changes) {
      if (before && this.belongs(before)) gone.add(id)
      if (after && this.belongs(after)) last.set(id, after)
      else last.delete(id)
    }
    if (gone.size === 0 && last.size === 0) return false
    const come = [...last.values()].sort(this.order)
    const merged: Row[] = []
    let next = 0
    for (const row of this.list) {
      if (gone.has(row.id)) continue
      while (next < come.length && this.order(come[next] as Row, row) < 0) merged.push(come[next++] as Row)
      merged.push(row)
    }
    while (next < come.length) merged.push(come[next++] as Row)
    this.list = merged
    return true
  }

  /** The place of a row as it is in the list, or -1. */
  indexOf(row: Row): number {
    let low = 0
    let high = this.list.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const compared = this.order(this.list[middle] as Row, row)
      if (compared === 0) return middle
      if (compared < 0) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/** By these texts in turn as the language sorts, those without one last, then newest first and by id. */
export function byTexts<Row extends { created_at: string; id: string }>(
  ...texts: readonly ((row: Row) => string | null)[]
): Order<Row> {
  return (a, b) => {
    for (const text of texts) {
      const compared = compareTexts(text(a), text(b))
      if (compared !== 0) return compared
    }
    return newestFirst(a, b)
  }
}

function compareTexts(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compareNames(a, b)
}

/** Newest first, then id: the order of the spec's full lists and of a column of the board. ISO text of one server sorts as time. */
export function newestFirst(a: { created_at: string; id: string }, b: { created_at: string; id: string }): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
