import type { CurrencySum } from '#web/data/server/read-queries.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { observable } from '#web/lib/observable.ts'

/** The ids of the first rows of a query, and its exact figures. */
export interface FirstLookList {
  readonly ids: readonly string[]
  readonly total: number
  readonly sums: readonly CurrencySum[]
}

/** What the board shows first. It is computed from the rows on this device at a moment when no operation of the brand is waiting. */
export interface FirstLook {
  readonly rows: { readonly [Table in TableName]?: readonly AnyRow[] }
  /** The first rows of each list, by `queryKey`. */
  readonly lists: Readonly<Record<string, FirstLookList>>
  /** The ids of the shown deals that have an open task. Null if the cards do not show which deals have no task. */
  readonly withTask: readonly string[] | null
}

/** The number of the last write of a brand's rows, and the first look at the rows after that write. The next write removes the first look. */
export interface StoredLook {
  brand_id: string
  writes: number
  look?: FirstLook
}

/**
 * The tables whose rows decide the lists, the figures and `withTask` of a first look. While a first look is shown, each change of these rows is
 * recorded in the first look or removes it (`recordLookChanges`).
 */
export const lookTables = ['pipelines', 'deal_stages', 'deals', 'tasks'] as const

/** A first look that is on screen while the rows are read. */
export class ShownLook {
  /**
   * The deals that have changed since the first look was stored, by id. Each value is the row as the first look has it, because the figures
   * of the first look count that row.
   */
  readonly changed = new Map<string, AnyRow>()
  /** Resolves when the browser has painted the screen with the first look. */
  painted: Promise<void> | undefined

  constructor(readonly look: FirstLook) {}

  /** Records that rows were changed. Returns false if the first look cannot show these changes. */
  recordChanges(table: (typeof lookTables)[number], ids: readonly string[]): boolean {
    for (const id of ids) {
      const countedRow = table === 'deals' && this.look.rows.deals?.find((row) => row.id === id)
      if (!countedRow) return false
      this.changed.set(id, countedRow)
    }
    return true
  }
}

/** `number`: the number of a write of a brand's rows. `after`: the number of the write before it (0 for the first write). */
export interface CountedWrite {
  readonly after: number
  readonly number: number
}

/**
 * Tracks which writes of a brand's rows to the local database this tab also has in memory. Any tab may write, and the writes become known in any
 * order. `known` stops before a missing write, so it never includes rows that this tab does not have.
 */
export class WriteCount {
  /** The number of a write. The rows of this write and of all writes before it are in memory. Null if unknown. */
  readonly known = observable<number | null>(null)
  /** How many writes are under way: screens may already show their rows, but the local database may not have them yet. */
  underway = 0
  /** The writes that are not counted in `known` yet, because a write before them is missing: their numbers, by `after`. */
  private readonly next = new Map<number, number>()

  /** Starts to count at the last write before the rows were read. Includes the writes that follow it without a gap. */
  begin(last: number): void {
    let known = last
    for (let next = this.next.get(known); next; next = this.next.get(known)) {
      this.next.delete(known)
      known = next
    }
    this.known.set(known)
  }

  /** Counts a write whose rows are now in memory. */
  add({ after, number }: CountedWrite): void {
    this.next.set(after, number)
    const known = this.known.get()
    if (known !== null) this.begin(known)
  }
}

/**
 * Counts a write of a brand's rows, and removes the stored first look, because it shows the rows from before this write. A brand never uses a
 * number twice, even after it was wiped from this device. Await this function before the rows are written: if it threw while another request
 * is running, nobody would handle the failure of that request.
 */
export async function countWrite(
  looks: { get(key: string): Promise<StoredLook | undefined>; put(value: StoredLook): Promise<unknown> },
  brandId: string,
): Promise<CountedWrite> {
  const after = (await looks.get(brandId))?.writes ?? 0
  const number = (after || Date.now()) + 1
  await looks.put({ brand_id: brandId, writes: number })
  return { after, number }
}
