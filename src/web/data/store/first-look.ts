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

  constructor(readonly look: FirstLook) {}

  /** Takes note of changed rows. False: it cannot say any more what is true with them. */
  note(table: (typeof lookTables)[number], ids: readonly string[]): boolean {
    for (const id of ids) {
      const counted = table === 'deals' && this.look.rows.deals?.find((row) => row.id === id)
      if (!counted) return false
      this.changed.set(id, counted)
    }
    return true
  }
}

/** The number of a write of a brand's rows, and that of the write before it. 0: there was none. */
export interface CountedWrite {
  readonly after: number
  readonly number: number
}

/**
 * Which writes of a brand's rows on the disk, by any tab, this tab has in memory. They arrive in any order; one that is missing ends the
 * chain, so that nothing is claimed of rows that this tab does not know.
 */
export class WriteCount {
  /** The last write up to which all are in memory; null: unknown. */
  readonly known = observable<number | null>(null)
  /** Writes that screens may show already but that are not counted yet: until then the memory may be ahead of the disk. */
  underway = 0
  private readonly next = new Map<number, number>()

  /** The last write before the rows were read. */
  begin(last: number): void {
    let known = last
    for (let next = this.next.get(known); next; next = this.next.get(known)) {
      this.next.delete(known)
      known = next
    }
    this.known.set(known)
  }

  /** A write whose rows are in memory now. */
  note({ after, number }: CountedWrite): void {
    this.next.set(after, number)
    const known = this.known.get()
    if (known !== null) this.begin(known)
  }
}

/**
 * Counts a write of rows, and removes the look at what was there before. The first number of a brand is one that it has never had before,
 * also where the brand was wiped from this device. Awaited before the rows are written: a call that throws while another request is under way
 * would leave that one's failure to nobody.
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
