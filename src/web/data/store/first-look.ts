import type { CurrencySum } from '#web/data/server/read-queries.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { observable } from '#web/lib/observable.ts'

/** The first rows of a query, and its exact figures. */
export interface FirstRows {
  readonly ids: readonly string[]
  readonly total: number
  readonly sums: readonly CurrencySum[]
}

/** What the board shows first, made of the rows of this device while no operation of the brand waited. */
export interface FirstLook {
  readonly rows: { readonly [Table in TableName]?: readonly AnyRow[] }
  /** By `queryKey`. */
  readonly lists: Readonly<Record<string, FirstRows>>
  /** The ids of those of its deals that have an open task; null: no card says which have none. */
  readonly withTask: readonly string[] | null
}

/** The number of the last write of a brand's rows, and a look at exactly these rows. Each later write removes the look. */
export interface StoredLook {
  brand_id: string
  writes: number
  look?: FirstLook
}

/** The tables whose changes change a look. */
export const lookTables = ['pipelines', 'deal_stages', 'deals', 'tasks'] as const

/** A look that stands in for the rows while they are read. */
export class ShownLook {
  /** Deals that were changed since, as the look has counted them. */
  readonly changed = new Map<string, AnyRow>()
  /** Resolves when the screen that shows it has been painted. */
  painted: Promise<void> | undefined
  private readonly deals: ReadonlyMap<string, AnyRow>

  constructor(readonly look: FirstLook) {
    this.deals = new Map(look.rows.deals?.map((row) => [row.id, row]))
  }

  /** Takes note of changed rows. False: it cannot say any more what is true with them. */
  note(table: (typeof lookTables)[number], ids: readonly string[]): boolean {
    for (const id of ids) {
      const counted = table === 'deals' && this.deals.get(id)
      if (!counted) return false
      this.changed.set(id, counted)
    }
    return true
  }
}

/**
 * Numbers of the writes of a brand's rows on the disk, by any tab, that this tab has in memory. They arrive in any order; one that is
 * missing ends the count, so that nothing is claimed of rows that this tab does not know.
 */
export class WriteCount {
  /** All writes up to this one are in memory; null: unknown. */
  readonly known = observable<number | null>(null)
  private readonly ahead = new Set<number>()

  /** The last write before the rows were read. */
  begin(last: number): void {
    this.ahead.add(last)
    this.follow(last - 1)
  }

  /** A write whose rows are in memory now. */
  note(write: number): void {
    this.ahead.add(write)
    const known = this.known.get()
    if (known !== null) this.follow(known)
  }

  private follow(last: number): void {
    let known = last
    while (this.ahead.delete(known + 1)) known += 1
    for (const write of this.ahead) if (write <= known) this.ahead.delete(write)
    this.known.set(known)
  }
}
