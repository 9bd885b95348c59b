import type { Change } from './collection.ts'
import { type Order, SortedList } from './sorted-list.ts'

/** Rows in sorted groups (the deals of each stage), kept in step: a change touches only the groups it concerns. */
export class GroupedList<Row extends { id: string }> {
  private readonly groups = new Map<string, SortedList<Row>>()

  constructor(
    private readonly order: Order<Row>,
    private readonly groupOf: (row: Row) => string,
  ) {}

  /** The rows of a group in order; the same array until one of them changes. */
  rows(group: string): readonly Row[] {
    return this.list(group).rows
  }

  /** The place of a row in its group, or -1. */
  indexOf(group: string, row: Row): number {
    return this.list(group).indexOf(row)
  }

  fill(rows: Iterable<Row>): void {
    const byGroup = new Map<string, Row[]>()
    for (const row of rows) {
      const group = this.groupOf(row)
      const list = byGroup.get(group)
      if (list) list.push(row)
      else byGroup.set(group, [row])
    }
    for (const [group, list] of byGroup) this.list(group).fill(list)
  }

  apply(changes: readonly Change<Row>[]): void {
    const byGroup = new Map<string, Change<Row>[]>()
    const add = (group: string, change: Change<Row>) => {
      const list = byGroup.get(group)
      if (list) list.push(change)
      else byGroup.set(group, [change])
    }
    for (const change of changes) {
      const from = change.before && this.groupOf(change.before)
      const to = change.after && this.groupOf(change.after)
      if (from !== undefined) add(from, change)
      if (to !== undefined && to !== from) add(to, change)
    }
    for (const [group, list] of byGroup) this.list(group).apply(list)
  }

  private list(group: string): SortedList<Row> {
    const present = this.groups.get(group)
    if (present) return present
    const made = new SortedList<Row>(this.order, (row) => this.groupOf(row) === group)
    this.groups.set(group, made)
    return made
  }
}
