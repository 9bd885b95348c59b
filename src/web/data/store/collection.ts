import type { Operation } from './operation.ts'
import { overlaid, showTheSame } from './overlay.ts'
import type { AnyRow } from '#web/data/server/tables.ts'

/** A row as screens saw it before and see it now; undefined: not there. */
export interface Change<Row> {
  id: string
  before: Row | undefined
  after: Row | undefined
}

/**
 * The rows of one table and brand in memory: what the server last said, with the waiting operations laid over it. Screens read
 * only this; it mirrors the local database.
 */
export class Collection<Row extends AnyRow> {
  private readonly server = new Map<string, Row>()
  private readonly seen = new Map<string, Row>()
  private operations = new Map<string, readonly Operation[]>()
  private readonly indexes = new Set<(changes: readonly Change<Row>[]) => void>()
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private readonly arrivals = new Set<(changes: readonly Change<Row>[]) => void>()
  private writes = 0
  /** False until the local database has been read. */
  loaded = false

  /** The row as screens see it. */
  get(id: string): Row | undefined {
    return this.seen.get(id)
  }

  /** The row as the server last had it. */
  onServer(id: string): Row | undefined {
    return this.server.get(id)
  }

  /** Rows as screens see them, in no order. */
  values(): IterableIterator<Row> {
    return this.seen.values()
  }

  get size(): number {
    return this.seen.size
  }

  /** The ids that the server is known to have. */
  serverIds(): IterableIterator<string> {
    return this.server.keys()
  }

  /** Whether changes of this row wait to be sent. */
  isWaiting(id: string): boolean {
    return this.operations.has(id)
  }

  operationsOf(id: string): readonly Operation[] {
    return this.operations.get(id) ?? []
  }

  /** Ids of the rows with waiting changes. */
  waitingIds(): IterableIterator<string> {
    return this.operations.keys()
  }

  /** Takes rows of the server in and lets others go; rows not newer than ours are for the caller to leave out. */
  write(rows: readonly Row[], goneIds: readonly string[] = []): void {
    const changes: Change<Row>[] = []
    const arrived: Change<Row>[] = []
    for (const id of goneIds) {
      if (this.server.delete(id)) this.see(id, changes)
    }
    for (const row of rows) {
      arrived.push({ id: row.id, before: this.server.get(row.id), after: row })
      this.server.set(row.id, row)
      this.see(row.id, changes)
    }
    this.tell(changes, false)
    for (const listener of Array.from(this.arrivals)) listener(arrived)
  }

  /** Lays these operations (by row, in order) over the rows instead of the present ones. */
  overlay(operations: Map<string, readonly Operation[]>): void {
    const touched = new Set([...this.operations.keys(), ...operations.keys()])
    const before = this.operations
    this.operations = operations
    const changes: Change<Row>[] = []
    // The queue is read anew after each change of it: what says the same as before keeps its row.
    for (const id of touched) if (!showTheSame(before.get(id), operations.get(id))) this.see(id, changes)
    this.tell(changes, true)
  }

  /** Another number after each change. */
  revision = (): number => this.writes

  /** Keeps an index (a sorted list) in step: it gets each change before any screen does. Returns the function that stops it. */
  index(apply: (changes: readonly Change<Row>[]) => void): () => void {
    this.indexes.add(apply)
    return () => this.indexes.delete(apply)
  }

  /** Hears that something changed; `urgent`: a person did it just now and waits to see it. Returns the function that stops it. */
  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Hears which rows came from the server: as it had them before and has them now. Returns the function that stops it. */
  onArrivals(listener: (changes: readonly Change<Row>[]) => void): () => void {
    this.arrivals.add(listener)
    return () => this.arrivals.delete(listener)
  }

  private see(id: string, changes: Change<Row>[]): void {
    const before = this.seen.get(id)
    const after = overlaid(id, this.server.get(id), this.operations.get(id) ?? [])
    if (before === after) return
    if (after) this.seen.set(id, after)
    else this.seen.delete(id)
    changes.push({ id, before, after })
  }

  private tell(changes: readonly Change<Row>[], urgent: boolean): void {
    // What waits changed also where the row looks the same (the last operation was answered with what we had shown).
    if (changes.length === 0 && !urgent) return
    this.writes += 1
    for (const apply of this.indexes) apply(changes)
    for (const listener of Array.from(this.listeners)) listener(urgent)
  }
}
