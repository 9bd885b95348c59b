import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { mergeLocalChanges } from './merge-local-changes.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const byId = (a: Deal, b: Deal) => (a.id < b.id ? -1 : 1)

test('a list of the server is corrected by later changes on this device: rows that left it are removed, new rows come first', async () => {
  const { data } = await openLoneTab({ windowed: ['deals'] })
  fc.assert(
    fc.property(
      fc.shuffledSubarray(ids, { minLength: 1 }),
      fc.subarray(ids),
      fc.subarray(ids),
      fc.shuffledSubarray(ids),
      fc.subarray(ids),
      fc.nat({ max: 5 }),
      (known, idsHere, matchingIds, changedHere, deleted, furtherCount) => {
        data.tables.deals.write([], ids)
        putRows(data, 'deals', ...idsHere.map((id) => ({ id })))
        data.recentlyDeleted.clear()
        for (const id of deleted) data.recentlyDeleted.set(id, 1)
        const list = {
          ids: [...known, null],
          total: known.length + 1 + furtherCount,
          changedHere: new Set(changedHere),
        }
        const merged = mergeLocalChanges(data, 'deals', list, ({ id }) => matchingIds.includes(id), byId)
        const isShown = (id: string) => idsHere.includes(id) && matchingIds.includes(id)
        const isLeft = (id: string) => !deleted.includes(id) && (!changedHere.includes(id) || isShown(id))
        const added = changedHere.filter((id) => !known.includes(id) && isShown(id)).sort()
        expect(merged.first.map(({ id }) => id)).toEqual(added)
        expect(merged.ids).toEqual([...known.filter(isLeft), null])
        expect(merged.total).toBe(list.total + added.length - known.filter((id) => !isLeft(id)).length)
      },
    ),
  )
})

test('a list without changes stays the same array, and its total is at least its number of ids', async () => {
  const { data } = await openLoneTab({ windowed: ['deals'] })
  const known = ['a', 'b']
  const merged = mergeLocalChanges(
    data,
    'deals',
    { ids: known, total: 1, changedHere: new Set<string>() },
    () => true,
    byId,
  )
  expect(merged.ids).toBe(known)
  expect(merged.total).toBe(2)
})
