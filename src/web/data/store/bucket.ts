import type { AnyRow } from '#web/data/server/tables.ts'

/**
 * Rows of one table and brand that the local database stores as one entry. One entry per row would take sixteen times as long to write and five
 * times as long to read.
 */
export interface Bucket {
  brand_id: string
  bucket: string
  rows: readonly AnyRow[]
}

/**
 * Returns the bucket in which a row is stored: the last two hexadecimal digits of its id. So each table of a brand has up to 256 buckets of
 * about the same size. The first digits would not work, because in some kinds of ids they are a time.
 */
export function bucketOf(id: string): string {
  return id.slice(-2)
}

/** Returns the buckets in which rows with these ids are stored, sorted and without duplicates. */
export function bucketsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(bucketOf))].sort()
}

/** Groups rows, also of several brands, into buckets. */
export function groupIntoBuckets(rows: readonly AnyRow[]): Bucket[] {
  const buckets = new Map<string, { brand_id: string; bucket: string; rows: AnyRow[] }>()
  for (const row of rows) {
    const { brand_id, id } = row
    const key = `${brand_id} ${bucketOf(id)}`
    const group = buckets.get(key) ?? { brand_id, bucket: bucketOf(id), rows: [] }
    group.rows.push(row)
    buckets.set(key, group)
  }
  return [...buckets.values()]
}

/**
 * Splits items into parts of at most `bucketsPerPart` buckets. All items of a bucket are in the same part, so that each bucket is written
 * once.
 */
export function splitIntoParts<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  bucketsPerPart: number,
): Item[][] {
  const groups = [...byBucket(items, idOf).values()]
  const parts: Item[][] = []
  for (let start = 0; start < groups.length; start += bucketsPerPart)
    parts.push(groups.slice(start, start + bucketsPerPart).flat())
  return parts
}

/** Compares rows with the stored rows by `isNewer`. Returns the newer rows, and the buckets to write: their stored rows and the newer rows. */
export function mergeNewer(
  brandId: string,
  rows: readonly AnyRow[],
  stored: readonly (Bucket | undefined)[],
  isNewer: (row: AnyRow, stored: AnyRow | undefined) => boolean,
): { written: AnyRow[]; buckets: Bucket[] } {
  const storedRows = rowsById(stored)
  const newerRows = rows.filter((row) => isNewer(row, storedRows.get(row.id)))
  const buckets = [...byBucket(newerRows, ({ id }) => id)].map(([bucket, addedRows]) => {
    const mergedRows = rowsById([stored.find((storedBucket) => storedBucket?.bucket === bucket)])
    for (const row of addedRows) mergedRows.set(row.id, row)
    return { brand_id: brandId, bucket, rows: [...mergedRows.values()] }
  })
  return { written: newerRows, buckets }
}

/**
 * Removes the rows for which `isDeleted` returns true from stored buckets. Returns only the buckets that have changed. The caller must delete a
 * bucket that has no rows left.
 */
export function changedBucketsWithout(
  stored: readonly (Bucket | undefined)[],
  isDeleted: (row: AnyRow) => boolean,
): Bucket[] {
  return stored.flatMap((storedBucket) => {
    const rows = storedBucket?.rows.filter((row) => !isDeleted(row)) ?? []
    return storedBucket && rows.length < storedBucket.rows.length ? [{ ...storedBucket, rows }] : []
  })
}

/** Returns the rows of stored buckets, by id. */
export function rowsById(stored: readonly (Bucket | undefined)[]): Map<string, AnyRow> {
  return new Map(stored.flatMap((storedBucket) => storedBucket?.rows.map((row) => [row.id, row] as const) ?? []))
}

function byBucket<Item>(items: readonly Item[], idOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>(bucketsOf(items.map(idOf)).map((bucket) => [bucket, []]))
  for (const item of items) groups.get(bucketOf(idOf(item)))?.push(item)
  return groups
}
