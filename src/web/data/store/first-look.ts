import type { CurrencySum } from '#web/data/server/read-queries.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { observable } from '#web/lib/observable.ts'

/** The first rows of a query, and its exact figures. */
export interface FirstRows {
  readonly ids: readonly string[]
  readonly total: number
  readonly sums: readonly CurrencySum[]
}

/** The first screen of the board, computed from the rows on this device while no operation of the brand waited. */
export interface FirstLook {
  readonly rows: { readonly [Table in TableName]?: readonly AnyRow[] }
  /** The first rows of each list, by `queryKey`. */
  readonly lists: Readonly<Record<string, FirstRows>>
  /** The ids of its deals that have an open task. Null if the cards do not show which deals have no task. */
  readonly withTask: readonly string[] | null
}

/**
 * The number of the last write of a brand's rows, and a first look that shows exactly these rows. Each later write removes the first look.
 */
export interface StoredLook {
  brand_id: string
  writes: number
  look?: FirstLook
}

/** The tables whose rows a first look contains. */
export const lookTables = ['pipelines', 'deal_stages', 'deals', 'tasks'] as const

/** A first look that is shown while the rows are read. */
export class ShownLook {
  /** Deals that were changed since, as they are counted in the first look. */
  readonly changed = new Map<string, AnyRow>()
  /** Resolves when the screen with the first look has been painted. */
  painted: Promise<void> | undefined

  constructor(readonly look: FirstLook) {}

  /** Records changed rows. Returns false if the first look cannot include these changes. */
  recordChanges(table: (typeof lookTables)[number], ids: readonly string[]): boolean {
    for (const id of ids) {
      const counted = table === 'deals' && this.look.rows.deals?.find((row) => row.id === id)
      if (!counted) return false
      this.changed.set(id, counted)
    }
    return true
  }
}

/** The number of a write of a brand's rows, and the number of the write before it (0 for the first write). */
export interface CountedWrite {
  readonly after: number
  readonly number: number
}

/**
 * Tracks which writes of a brand's rows to the local database, by any tab, this tab has in memory. Writes arrive in any order. `known` stops
 * before a missing write, so it never covers rows that this tab does not have.
 */
export class WriteCount {
  /** The last write up to which all writes are in memory. Null if unknown. */
  readonly known = observable<number | null>(null)
  /**
   * Number of writes that screens may already show but that are not counted yet. Until then the memory may be ahead of the local database.
   */
  underway = 0
  private readonly next = new Map<number, number>()

  /** Starts the count at the last write before the rows were read, and includes the writes that follow it without a gap. */
  begin(last: number): void {
    let known = last
    for (let next = this.next.get(known); next; next = this.next.get(known)) {
      this.next.delete(known)
      known = next
    }
    this.known.set(known)
  }

  /** Adds a write whose rows are now in memory. */
  add({ after, number }: CountedWrite): void {
    this.next.set(after, number)
    const known = this.known.get()
    if (known !== null) this.begin(known)
  }
}

/**
 * Counts a write of rows, and removes the first look at the earlier rows. The first number of a brand was never used for it before, even if the
 * brand was wiped from this device. Await it before the rows are written: if it threw while another request is running, nobody would handle the
 * failure of that request.
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
