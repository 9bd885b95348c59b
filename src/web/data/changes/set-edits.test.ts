import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeUpdate } from './conflict.ts'
import { rebaseLater } from './rebase.ts'
import { previewOf } from '#web/data/store/preview.ts'
import { editBetween, editedSet, inverseEdit, mergedSet } from '#web/data/store/set-edit.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'

const ids = fc.subarray(['a', 'b', 'c', 'd', 'e', 'f'])
const edit = fc.tuple(ids, ids).map(([add, other]) => ({ add, remove: other.filter((id) => !add.includes(id)) }))

/** Returns the tags on the server after a device has sent its edit of them and the edit was judged. */
function sent(base: string[], mine: string[], server: string[]): string[] {
  const operation = testOperation({ values: { tag_ids: mine }, base: { tag_ids: base }, version: 3 })
  const verdict = judgeUpdate(operation, testDeal({ tag_ids: server, version: 5 }))
  if (verdict.kind === 'done') return server
  if (verdict.kind !== 'resend') throw new Error(verdict.kind)
  return verdict.values.tag_ids as string[]
}

describe('two people change the tags of a record without knowing of each other', () => {
  test('nobody is asked if two people change the tags of a record, and the additions and removals of both are kept', () => {
    expect(sent(['a', 'b'], ['a', 'b', 'c'], ['b', 'd'])).toEqual(['b', 'c', 'd'])
    expect(sent(['a'], ['a', 'b'], ['a', 'b'])).toEqual(['a', 'b'])
  })

  test('the order in which two people’s edits of tags arrive makes no difference', () => {
    fc.assert(
      fc.property(ids, ids, ids, (base, ana, bo) => {
        const anaFirst = sent(base, bo, sent(base, ana, base))
        const boFirst = sent(base, ana, sent(base, bo, base))
        expect(new Set(anaFirst)).toEqual(new Set(boFirst))
      }),
    )
  })

  test('two edits of tags from one device are both applied, whatever others did in between', () => {
    fc.assert(
      fc.property(ids, ids, ids, ids, (base, one, two, theirs) => {
        const first = testOperation({ id: 'a', values: { tag_ids: one }, base: { tag_ids: base } })
        const second = testOperation({ id: 'b', seq: 2, values: { tag_ids: two }, base: { tag_ids: one } })
        const server = sent(base, one, theirs)
        const [next] = rebaseLater([second], first, testDeal({ tag_ids: server, version: 6 }))
        const now = next?.version === 6 ? (next.values.tag_ids as string[]) : sent(one, two, server)
        expect(new Set(now)).toEqual(new Set(mergedSet(one, two, server)))
      }),
    )
  })
})

describe('an edit of many sets at once', () => {
  test('two edits of many sets at once give the same result in either order, unless one adds an id that the other removes; the inverse of an edit reverts it', () => {
    fc.assert(
      fc.property(ids, edit, edit, (set, one, other) => {
        const opposed =
          one.add.some((id) => other.remove.includes(id)) || one.remove.some((id) => other.add.includes(id))
        if (!opposed) expect(editedSet(editedSet(set, one), other)).toEqual(editedSet(editedSet(set, other), one))
        expect(editedSet(editedSet(set, one), inverseEdit(one, set))).toEqual([...set].sort())
        expect(editedSet(set, editBetween(set, other.add))).toEqual([...other.add].sort())
      }),
    )
  })

  test('an edit of the tags of many rows is shown in each row beside its other tags', () => {
    const operation = testOperation({
      kind: 'update-all',
      rowIds: ['deal-1'],
      values: { tag_ids: { add: ['c'], remove: ['a'] } },
    })
    expect(previewOf('deal-1', testDeal({ tag_ids: ['a', 'b'] }), [operation])).toMatchObject({ tag_ids: ['b', 'c'] })
    // This row was stored before deals had tags, so it has no `tag_ids`.
    expect(previewOf('deal-1', testDeal(), [operation])).toMatchObject({ tag_ids: ['c'] })
  })
})
