import { compareNames } from '#web/lib/names.ts'
import type { Change, RowIndex } from './collection.ts'

/**
 * Compares two rows. A result below 0 means that `a` comes first. The result is never 0 for two different rows, because their ids decide
 * last. So `indexOf` can find a row.
 */
export type Order<Row> = (a: Row, b: Row) => number

/**
 * Keeps rows sorted while they change. A change takes one pass and sorts only the changed rows. So ten thousand rows that arrive in slices
 * do not block the page.
 */
export class SortedList<Row extends { id: string }> implements RowIndex<Row> {
  private list: readonly Row[] = []
  private isFilled = false

  constructor(
    /** Returns all rows of the collection. */
    private readonly all: () => Iterable<Row>,
    private readonly order: Order<Row>,
    /** Whether a row belongs to this list. */
    private readonly belongs: (row: Row) => boolean,
  ) {}

  /** The rows in their order. Each change makes a new array. */
  get rows(): readonly Row[] {
    this.fill()
    return this.list
  }

  fill(): void {
    if (this.isFilled) return
    this.list = Array.from(this.all()).filter(this.belongs).sort(this.order)
    this.isFilled = true
  }

  empty(): void {
    this.isFilled = false
  }

  /** Applies changes of rows to the list. Returns true if the list has changed. */
  apply(changes: readonly Change<Row>[]): boolean {
    // A list that is not filled yet will get these changes when it is filled.
    if (!this.isFilled) return false
    const removedIds = new Set<string>()
    const rowsToAdd = new Map<string, Row>()
    for (const { id, before, after } of changes) {
      if (before && this.belongs(before)) removedIds.add(id)
      if (after && this.belongs(after)) rowsToAdd.set(id, after)
      else rowsToAdd.delete(id)
    }
    if (removedIds.size === 0 && rowsToAdd.size === 0) return false
    const addedRows = [...rowsToAdd.values()].sort(this.order)
    const merged: Row[] = []
    let position = 0
    let nextAdded = addedRows[position]
    for (const row of this.list) {
      if (removedIds.has(row.id)) continue
      for (; nextAdded && this.order(nextAdded, row) < 0; nextAdded = addedRows[++position]) merged.push(nextAdded)
      merged.push(row)
    }
    for (; nextAdded; nextAdded = addedRows[++position]) merged.push(nextAdded)
    this.list = merged
    return true
  }

  /** Returns the index of a row in the list, or -1 if the list does not contain it. */
  indexOf(row: Row): number {
    let low = 0
    let high = this.list.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const candidate = this.list[middle]
      const comparison = candidate ? this.order(candidate, row) : 0
      if (comparison === 0) return middle
      if (comparison < 0) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/**
 * Makes an order that compares the given texts of the rows one after the other (`compareNames`). Rows whose text is null come
 * last. If all texts are equal, the newest row comes first, and then the ids decide.
 */
export function byTexts<Row extends { created_at: string; id: string }>(
  ...texts: readonly ((row: Row) => string | null)[]
): Order<Row> {
  return (a, b) => {
    for (const text of texts) {
      const comparison = compareTexts(text(a), text(b))
      if (comparison !== 0) return comparison
    }
    return newestFirst(a, b)
  }
}

function compareTexts(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compareNames(a, b)
}

/**
 * Sorts the newest row first. If two rows were created at the same time, their ids decide. The specification gives this order to full lists
 * and to the columns of the board. ISO texts of one server sort as times.
 */
export function newestFirst(a: { created_at: string; id: string }, b: { created_at: string; id: string }): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return byId(a, b)
}

/** Compares the ids of two rows that are equal otherwise. Returns 0 only for the same row. */
export function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
