import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnyRow } from '#web/data/server/tables.ts'
import {
  type Bucket,
  bucketOf,
  bucketsOf,
  groupIntoBuckets,
  splitIntoParts,
  rowsById,
  mergeNewer,
  changedBucketsWithout,
} from './bucket.ts'

const brandId = 'acme'

function rowOf(id: string, version = 1): AnyRow {
  return { id, brand_id: brandId, version, rev: version, updated_at: '', updated_by: null }
}

const isNewer = (row: AnyRow, stored: AnyRow | undefined) => row.version > (stored?.version ?? 0)

/** Ids that belong to only three buckets, so that several rows share a bucket. */
const idArbitrary = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('0a', '0b', 'ff'))
  .map(([n, end]) => `${n}-${end}`)
const idsWithVersions = fc.uniqueArray(fc.tuple(idArbitrary, fc.integer({ min: 1, max: 5 })), {
  selector: ([id]) => id,
})

/** The stored buckets, as the local database holds them. */
class StoredBuckets {
  readonly buckets = new Map<string, Bucket>()

  read(ids: readonly string[]): (Bucket | undefined)[] {
    return bucketsOf(ids).map((bucket) => this.buckets.get(bucket))
  }

  put(buckets: readonly Bucket[]): void {
    for (const bucket of buckets) this.buckets.set(bucket.bucket, bucket)
  }

  versions(): Record<string, number> {
    return Object.fromEntries([...rowsById([...this.buckets.values()])].map(([id, { version }]) => [id, version]))
  }
}

test('the buckets hold the newest version of each row that was not deleted, and nothing else, after any writes and deletes', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          idsWithVersions,
          fc.uniqueArray(idArbitrary).map((ids) => ({ deleted: ids })),
        ),
      ),
      (steps) => {
        const stored = new StoredBuckets()
        const expectedVersions: Record<string, number> = {}
        for (const step of steps) {
          if ('deleted' in step) {
            stored.put(changedBucketsWithout(stored.read(step.deleted), ({ id }) => step.deleted.includes(id)))
            for (const id of step.deleted) delete expectedVersions[id]
            continue
          }
          const rows = step.map(([id, version]) => rowOf(id, version))
          const newer = rows.filter(({ id, version }) => version > (expectedVersions[id] ?? 0))
          const { written, buckets } = mergeNewer(brandId, rows, stored.read(rows.map(({ id }) => id)), isNewer)
          expect(written).toEqual(newer)
          stored.put(buckets)
          for (const { id, version } of newer) expectedVersions[id] = version
        }
        expect(stored.versions()).toEqual(expectedVersions)
        for (const { bucket, rows } of stored.buckets.values())
          expect(rows.every(({ id }) => bucketOf(id) === bucket)).toBe(true)
      },
    ),
  )
})

test('only buckets with newer rows are written, and a delete writes only buckets that had one of the rows', () => {
  const [rowIn0a, rowIn0b] = [rowOf('1-0a'), rowOf('1-0b')]
  const stored = groupIntoBuckets([rowIn0a, rowIn0b])
  const { written, buckets } = mergeNewer(brandId, [rowIn0a, rowOf('1-0b', 2)], stored, isNewer)
  expect(written).toEqual([rowOf('1-0b', 2)])
  expect(buckets).toEqual([{ brand_id: brandId, bucket: '0b', rows: [rowOf('1-0b', 2)] }])
  expect(changedBucketsWithout(stored, ({ id }) => ['2-0a', '1-0b'].includes(id))).toEqual([
    { brand_id: brandId, bucket: '0b', rows: [] },
  ])
})

test('rows of two brands are never in the same bucket', () => {
  const rowOfOtherBrand = { ...rowOf('1-0a'), brand_id: 'umbra' }
  expect(groupIntoBuckets([rowOf('1-0a'), rowOfOtherBrand, rowOf('2-0a')])).toEqual([
    { brand_id: brandId, bucket: '0a', rows: [rowOf('1-0a'), rowOf('2-0a')] },
    { brand_id: 'umbra', bucket: '0a', rows: [rowOfOtherBrand] },
  ])
})

test('items are split into parts that contain each item once, share no bucket, and have a limited number of buckets', () => {
  fc.assert(
    fc.property(fc.uniqueArray(idArbitrary), fc.integer({ min: 1, max: 3 }), (ids, maxBuckets) => {
      const parts = splitIntoParts(ids, (id) => id, maxBuckets)
      expect(parts.flat().sort()).toEqual(ids.toSorted())
      for (const part of parts) expect(bucketsOf(part).length).toBeLessThanOrEqual(maxBuckets)
      const buckets = parts.flatMap(bucketsOf)
      expect(new Set(buckets).size).toBe(buckets.length)
    }),
  )
})
