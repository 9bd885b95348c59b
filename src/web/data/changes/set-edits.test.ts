import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeUpdate } from './conflict.ts'
import { rebaseLaterEdits } from './rebase.ts'
import { previewOf } from '#web/data/store/preview.ts'
import { editBetween, editedSet, inverseEdit, mergedSet } from '#web/data/store/set-edit.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'

const anyIds = fc.subarray(['a', 'b', 'c', 'd', 'e', 'f'])
const anyEdit = fc
  .tuple(anyIds, anyIds)
  .map(([add, other]) => ({ add, remove: other.filter((id) => !add.includes(id)) }))

/** Returns the tags on the server after a device has sent its edit of them and the edit was judged. */
function tagsAfterSending(base: string[], mine: string[], server: string[]): string[] {
  const operation = testOperation({ values: { tag_ids: mine }, base: { tag_ids: base }, version: 3 })
  const verdict = judgeUpdate(operation, testDeal({ tag_ids: server, version: 5 }))
  if (verdict.kind === 'done') return server
  if (verdict.kind !== 'resend') throw new Error(verdict.kind)
  return verdict.values.tag_ids as string[]
}

describe('two people change the tags of a record without knowing of each other', () => {
  test('nobody is asked if two people change the tags of a record, and the additions and removals of both are kept', () => {
    expect(tagsAfterSending(['a', 'b'], ['a', 'b', 'c'], ['b', 'd'])).toEqual(['b', 'c', 'd'])
    expect(tagsAfterSending(['a'], ['a', 'b'], ['a', 'b'])).toEqual(['a', 'b'])
  })

  test('the order in which two people’s edits of tags arrive makes no difference', () => {
    fc.assert(
      fc.property(anyIds, anyIds, anyIds, (base, ana, bo) => {
        const anaFirst = tagsAfterSending(base, bo, tagsAfterSending(base, ana, base))
        const boFirst = tagsAfterSending(base, ana, tagsAfterSending(base, bo, base))
        expect(new Set(anaFirst)).toEqual(new Set(boFirst))
      }),
    )
  })

  test('two edits of tags from one device are both applied, whatever others did in between', () => {
    fc.assert(
      fc.property(anyIds, anyIds, anyIds, anyIds, (base, firstTags, secondTags, theirs) => {
        const first = testOperation({ id: 'a', values: { tag_ids: firstTags }, base: { tag_ids: base } })
        const second = testOperation({ id: 'b', seq: 2, values: { tag_ids: secondTags }, base: { tag_ids: firstTags } })
        const server = tagsAfterSending(base, firstTags, theirs)
        const [next] = rebaseLaterEdits([second], first, testDeal({ tag_ids: server, version: 6 }))
        const result =
          next?.version === 6 ? (next.values.tag_ids as string[]) : tagsAfterSending(firstTags, secondTags, server)
        expect(new Set(result)).toEqual(new Set(mergedSet(firstTags, secondTags, server)))
      }),
    )
  })
})

describe('an edit of many sets at once', () => {
  test('two edits of many sets at once give the same result in either order, unless one adds an id that the other removes; the inverse of an edit reverts it', () => {
    fc.assert(
      fc.property(anyIds, anyEdit, anyEdit, (set, firstEdit, secondEdit) => {
        const opposed =
          firstEdit.add.some((id) => secondEdit.remove.includes(id)) ||
          firstEdit.remove.some((id) => secondEdit.add.includes(id))
        if (!opposed)
          expect(editedSet(editedSet(set, firstEdit), secondEdit)).toEqual(
            editedSet(editedSet(set, secondEdit), firstEdit),
          )
        expect(editedSet(editedSet(set, firstEdit), inverseEdit(firstEdit, set))).toEqual([...set].sort())
        expect(editedSet(set, editBetween(set, secondEdit.add))).toEqual([...secondEdit.add].sort())
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
