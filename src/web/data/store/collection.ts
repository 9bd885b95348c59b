import type { Operation } from './operation.ts'
import { hasSamePreview, previewOf } from './preview.ts'
import type { AnyRow } from '#web/data/server/tables.ts'

/** A row before and after a change. Undefined if it does not exist. */
export interface Change<Row> {
  id: string
  before: Row | undefined
  after: Row | undefined
}

/** A structure that a collection updates with each change: usually a sorted list. */
export interface RowIndex<Row> {
  apply(changes: readonly Change<Row>[]): void
  /** Removes all rows from the index, because they may have changed. */
  empty?(): void
  /** Adds all rows of the collection, unless it has already done so since `empty` was called. */
  fill?(): void
}

const maxRemovedRows = 500

/**
 * The rows of one table and brand in memory: the server rows, and their previews with the waiting operations applied. Screens read only
 * collections, not the local database.
 */
export class Collection<Row extends AnyRow> {
  private readonly serverRows = new Map<string, Row>()
  private readonly previews = new Map<string, Row>()
  private readonly removedRows = new Map<string, Row>()
  private operations = new Map<string, readonly Operation[]>()
  private readonly indexes = new Set<RowIndex<Row>>()
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private readonly serverRowListeners = new Set<(changes: readonly Change<Row>[]) => void>()
  private writes = 0
  /** Whether the rows have been read from the local database. */
  isReady = false

  /** Returns the row as screens show it: the preview with waiting operations applied. */
  get(id: string): Row | undefined {
    return this.previews.get(id)
  }

  /** Returns the server row, without waiting operations. */
  serverRow(id: string): Row | undefined {
    return this.serverRows.get(id)
  }

  /**
   * Returns a row that was deleted on the server, as screens showed it before. Undefined if no screen showed it, if it was restored, or if it is not
   * one of the last 500 such rows.
   */
  removedRow(id: string): Row | undefined {
    return this.removedRows.get(id)
  }

  forgetRemovedRows = (): void => this.removedRows.clear()

  /** Iterates over the rows as screens show them, in no particular order. */
  values(): IterableIterator<Row> {
    return this.previews.values()
  }

  get size(): number {
    return this.previews.size
  }

  /** Iterates over the ids of the server rows that are in memory. */
  serverIds(): IterableIterator<string> {
    return this.serverRows.keys()
  }

  /** Whether operations on this row are waiting to be sent. */
  isWaiting(id: string): boolean {
    return this.operations.has(id)
  }

  operationsOf(id: string): readonly Operation[] {
    return this.operations.get(id) ?? []
  }

  /** Iterates over the ids of the rows with waiting operations. */
  waitingIds(): IterableIterator<string> {
    return this.operations.keys()
  }

  /** Adds rows from the local database. Does not notify indexes and listeners: `endReading` does that once, after all rows have been read. */
  add(rows: readonly Row[]): void {
    for (const row of rows) {
      // A row that arrived from the server meanwhile may be newer.
      if (row.version <= (this.serverRows.get(row.id)?.version ?? -1)) continue
      this.serverRows.set(row.id, row)
      this.updatePreview(row.id, [])
    }
    this.writes += 1
  }

  /**
   * Fills the indexes one by one, with a pause after each, and then notifies the listeners. Call it when all rows have been read from the local
   * database.
   */
  async endReading(pause: () => Promise<void>): Promise<void> {
    this.isReady = true
    for (const index of this.indexes) index.empty?.()
    for (const index of Array.from(this.indexes)) {
      index.fill?.()
      await pause()
    }
    this.writes += 1
    for (const listener of Array.from(this.listeners)) listener(false)
  }

  /**
   * Puts server rows into memory, and removes the rows with `deletedIds`. The caller must leave out rows that are not newer than those in
   * memory.
   */
  write(rows: readonly Row[], deletedIds: readonly string[] = []): void {
    const changes: Change<Row>[] = []
    const serverChanges: Change<Row>[] = []
    for (const id of deletedIds) {
      const shown = this.previews.get(id)
      if (!this.serverRows.delete(id)) continue
      if (shown) this.removedRows.set(id, shown)
      this.updatePreview(id, changes)
    }
    for (const id of this.removedRows.keys()) {
      if (this.removedRows.size <= maxRemovedRows) break
      this.removedRows.delete(id)
    }
    for (const row of rows) {
      this.removedRows.delete(row.id)
      serverChanges.push({ id: row.id, before: this.serverRows.get(row.id), after: row })
      this.serverRows.set(row.id, row)
      this.updatePreview(row.id, changes)
    }
    this.notify(changes, false)
    for (const listener of Array.from(this.serverRowListeners)) listener(serverChanges)
  }

  /** Replaces all waiting operations. They are given by row id, in the order of sending. */
  setOperations(operations: Map<string, readonly Operation[]>): void {
    const affectedIds = new Set([...this.operations.keys(), ...operations.keys()])
    const operationsBefore = this.operations
    this.operations = operations
    const changes: Change<Row>[] = []
    // Operations that did not change may be new objects, for example after a write of another tab. Their previews are not computed again, so
    // they stay the same objects.
    for (const id of affectedIds)
      if (!hasSamePreview(operationsBefore.get(id), operations.get(id))) this.updatePreview(id, changes)
    this.notify(changes, true)
  }

  /** Returns a number that grows with each change of the previews. */
  changeId = (): number => this.writes

  /**
   * Keeps an index (such as a sorted list) up to date: it gets each change before any listener is notified. Returns the function that ends
   * this.
   */
  index(index: RowIndex<Row>): () => void {
    this.indexes.add(index)
    return () => this.indexes.delete(index)
  }

  /**
   * Calls the listener after each change. `urgent` is true if waiting operations changed, because a person may wait to see that. Returns the
   * function that unsubscribes.
   */
  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Calls the listener after each `write`, with the server rows that were put into memory and the rows that they replaced. The changes do not
   * include removed rows. Returns the function that unsubscribes.
   */
  onServerRows(listener: (changes: readonly Change<Row>[]) => void): () => void {
    this.serverRowListeners.add(listener)
    return () => this.serverRowListeners.delete(listener)
  }

  private updatePreview(id: string, changes: Change<Row>[]): void {
    const before = this.previews.get(id)
    const after = previewOf(id, this.serverRows.get(id), this.operations.get(id) ?? [])
    if (before === after) return
    if (after) this.previews.set(id, after)
    else this.previews.delete(id)
    changes.push({ id, before, after })
  }

  private notify(changes: readonly Change<Row>[], urgent: boolean): void {
    // `isWaiting` may have changed although no preview has: the server has answered with exactly the row that was shown.
    if (changes.length === 0 && !urgent) return
    this.writes += 1
    for (const index of this.indexes) index.apply(changes)
    for (const listener of Array.from(this.listeners)) listener(urgent)
  }
}
