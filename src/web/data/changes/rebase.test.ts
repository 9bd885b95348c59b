import { expect, test } from 'vitest'
import { rebaseLaterEdits, rebaseWithout } from './rebase.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'

const move = testOperation({ seq: 1, id: 'a', values: { stage_id: 'proposal' }, base: { stage_id: 'incoming' } })

test('the next edit of a row gets the version of the row in the answer to the settled edit', () => {
  const rename = testOperation({ seq: 2, id: 'b', values: { name: 'New' }, base: { name: 'Data migration' } })
  const [next] = rebaseLaterEdits([rename], move, testDeal({ stage_id: 'proposal', version: 4 }))
  expect(next).toMatchObject({ id: 'b', version: 4, base: { name: 'Data migration' } })
})

test('a field that the settled edit wrote counts as written by this user, even if the server stored another value', () => {
  const rename = testOperation({ id: 'a', values: { name: ' Padded ' }, base: { name: 'Data migration' } })
  const nextRename = testOperation({ seq: 2, id: 'b', values: { name: 'Third' }, base: { name: ' Padded ' } })
  const [next] = rebaseLaterEdits([nextRename], rename, testDeal({ name: 'Padded', version: 4 }))
  expect(next).toMatchObject({ version: 4, base: { name: 'Padded' } })
})

test('an edit of a field that somebody else changed is compared with the row before it is sent, so that it does not overwrite that change', () => {
  const rename = testOperation({
    seq: 2,
    id: 'b',
    values: { name: 'Mine' },
    base: { name: 'Data migration' },
    version: 3,
  })
  const [next] = rebaseLaterEdits([rename], move, testDeal({ stage_id: 'proposal', name: 'Theirs', version: 6 }))
  expect(next).toMatchObject({ version: 0, base: { name: 'Data migration' } })
})

test('a field that the settled edit wrote does not count as written by this user if the row was read later and has another value', () => {
  const rename = testOperation({ id: 'a', values: { name: 'Mine' }, base: { name: 'Data migration' } })
  const nextRename = testOperation({ seq: 2, id: 'b', values: { name: 'Third' }, base: { name: 'Mine' }, version: 6 })
  const theirs = testDeal({ name: 'Theirs', version: 6 })
  expect(rebaseLaterEdits([nextRename], rename, theirs, true)).toMatchObject([{ version: 0, base: { name: 'Mine' } }])
  const mine = testDeal({ name: 'Mine', amount: 7, version: 6 })
  expect(rebaseLaterEdits([nextRename], rename, mine, true)).toMatchObject([{ version: 6, base: { name: 'Mine' } }])
})

test('a field of a new row does not count as written by this user if the row was read later and has another value', () => {
  const added = testOperation({ id: 'a', kind: 'insert', values: { name: 'Mine' }, preview: { amount: 0 } })
  const edit = testOperation({ seq: 2, id: 'b', values: { amount: 5 }, base: { amount: 0 }, version: 0 })
  expect(rebaseLaterEdits([edit], added, testDeal({ name: 'Mine', amount: 9, version: 3 }), true)[0]?.version).toBe(0)
  expect(rebaseLaterEdits([edit], added, testDeal({ name: 'Mine', amount: 0, version: 3 }), true)[0]?.version).toBe(3)
})

test('the next edit of a row gets the other change that this device saw before the settled edit', () => {
  const byBo = { theirsBy: 'bo', theirsAt: '2026-11-20T09:00:00Z' }
  const next = testOperation({ seq: 2, id: 'b', values: { name: 'Mine' }, base: { name: 'Data migration' } })
  const last = testOperation({ seq: 3, id: 'c', values: { amount: 5 }, base: { amount: 1 } })
  const row = testDeal({ stage_id: 'proposal', name: 'Theirs', version: 6 })
  expect(rebaseLaterEdits([next, last], { ...move, ...byBo }, row)).toMatchObject([{ id: 'b', version: 0, ...byBo }])
})

test('an edit of several fields is compared with the row before it is sent if somebody else changed one of them', () => {
  const editOfBoth = testOperation({
    seq: 2,
    values: { name: 'Mine', amount: 5 },
    base: { name: 'Data migration', amount: 100 },
    version: 3,
  })
  expect(rebaseLaterEdits([editOfBoth], move, testDeal({ name: 'Theirs', amount: 100, version: 6 }))[0]?.version).toBe(
    0,
  )
  expect(
    rebaseLaterEdits([editOfBoth], move, testDeal({ name: 'Data migration', amount: 100, version: 6 }))[0]?.version,
  ).toBe(6)
})

test('of two later edits of the same field only the first is rebased on the value that the server stored', () => {
  const rename = testOperation({ id: 'a', values: { name: ' Padded ' }, base: { name: 'Data migration' } })
  const second = testOperation({ seq: 2, id: 'b', values: { name: 'Two' }, base: { name: ' Padded ' } })
  const third = testOperation({ seq: 3, id: 'c', values: { name: 'Three' }, base: { name: 'Two' } })
  const rebased = rebaseLaterEdits([second, third], rename, testDeal({ name: 'Padded', version: 4 }))
  expect(rebased).toMatchObject([{ id: 'b', base: { name: 'Padded' } }])
})

test('the second of two waiting edits of the same field is not rebased before the first has its answer', () => {
  const first = testOperation({ seq: 2, id: 'b', values: { name: 'One' }, base: { name: 'Data migration' } })
  const second = testOperation({ seq: 3, id: 'c', values: { name: 'Two' }, base: { name: 'One' } })
  const rebased = rebaseLaterEdits([first, second], move, testDeal({ stage_id: 'proposal', version: 4 }))
  expect(rebased).toMatchObject([{ id: 'b', version: 4, base: { name: 'Data migration' } }])
})

test('a later edit of the settled field is based on the value that the server stored, even if another edit is sent before it', () => {
  const rename = testOperation({ id: 'a', values: { name: ' Padded ' }, base: { name: 'Data migration' } })
  const price = testOperation({ seq: 2, id: 'b', values: { amount: 5 }, base: { amount: 1 } })
  const nextRename = testOperation({
    seq: 3,
    id: 'c',
    values: { name: 'Third' },
    base: { name: ' Padded ' },
    version: 3,
  })
  const rebased = rebaseLaterEdits([price, nextRename], rename, testDeal({ name: 'Padded', amount: 1, version: 4 }))
  expect(rebased).toMatchObject([
    { id: 'b', version: 4 },
    { id: 'c', version: 3, base: { name: 'Padded' } },
  ])
})

test('every field of a row that this user created counts as written by this user', () => {
  const create = testOperation({ id: 'a', kind: 'insert', values: {}, base: {}, version: 0 })
  const rename = testOperation({ seq: 2, id: 'b', values: { name: 'Two' }, base: { name: 'One ' }, version: 0 })
  expect(rebaseLaterEdits([rename], create, testDeal({ name: 'One', version: 1 }))[0]).toMatchObject({
    version: 1,
    base: { name: 'One' },
  })
})

test('an edit after a call that found a colleague’s row overwrites only values that the user saw', () => {
  const call = testOperation({
    id: 'a',
    kind: 'call',
    values: {},
    base: {},
    version: 0,
    preview: { name: 'One', amount: 1 },
  })
  const rename = testOperation({ seq: 2, id: 'b', values: { name: 'Two' }, base: { name: 'One' }, version: 0 })
  expect(rebaseLaterEdits([rename], call, testDeal({ name: 'One', version: 3 }))[0]).toMatchObject({ version: 3 })
  expect(rebaseLaterEdits([rename], call, testDeal({ name: 'Theirs', version: 3 }))[0]).toMatchObject({
    version: 0,
    base: { name: 'One' },
  })
})

test('a restored row may contain a colleague’s change, which the next edit does not overwrite', () => {
  const restore = testOperation({
    id: 'a',
    kind: 'restore',
    values: {},
    base: {},
    restored: { 'deal-1': { name: 'One' } },
  })
  const rename = testOperation({ seq: 2, id: 'b', values: { name: 'Two' }, base: { name: 'One' }, version: 2 })
  expect(rebaseLaterEdits([rename], restore, testDeal({ name: 'Theirs', version: 4 }))[0]).toMatchObject({ version: 0 })
  expect(rebaseLaterEdits([rename], restore, testDeal({ name: 'One', version: 4 }))[0]).toMatchObject({ version: 4 })
})

test('operations on other rows, and operations that create rows, are not changed', () => {
  const ofOtherRow = testOperation({ seq: 2, rowId: 'deal-2' })
  const create = testOperation({ seq: 3, kind: 'insert' })
  const elsewhere = testOperation({ seq: 4, table: 'tasks' })
  expect(rebaseLaterEdits([ofOtherRow, create, elsewhere], move, testDeal({ version: 4 }))).toEqual([])
})

test('after an edit is dropped, the next edit of the field is based on the value before the dropped edit, and its row is read before it is sent', () => {
  const values = { name: 'One', amount: 2, tag_ids: ['a'] }
  const dropped = testOperation({ id: 'a', values, base: { name: 'Old', amount: 1, tag_ids: [] } })
  const nextRename = testOperation({
    seq: 2,
    id: 'b',
    values: { name: 'Two', amount: 3 },
    base: { name: 'One', amount: 2 },
  })
  const rebased = rebaseWithout([dropped, nextRename], dropped, ['name'])
  expect(rebased).toMatchObject([{ id: 'b', version: 0, base: { name: 'Old', amount: 2 } }])
  const price = testOperation({ seq: 3, id: 'c', values: { amount: 5 }, base: { amount: 2 } })
  const tags = testOperation({ seq: 4, id: 'd', values: { tag_ids: ['a', 'b'] }, base: { tag_ids: ['a'] } })
  const elsewhere = testOperation({ seq: 5, id: 'e', rowId: 'other', values: { name: 'Two' }, base: { name: 'One' } })
  expect(rebaseWithout([dropped, price, tags, elsewhere], dropped, ['name', 'tag_ids'])).toEqual([])
})

test('a dropped edit changes neither earlier edits, nor itself, nor an edit of many rows', () => {
  const dropped = testOperation({ seq: 5, id: 'a', values: { name: 'One' }, base: { name: 'Old' } })
  const earlier = testOperation({ seq: 4, id: 'b', values: { name: 'Two' }, base: { name: 'One' } })
  const many = testOperation({
    seq: 6,
    id: 'c',
    kind: 'update-all',
    rowIds: ['deal-1'],
    values: { name: 'Two' },
    base: { name: 'One' },
  })
  const droppedItself = { ...dropped, base: { name: 'One' } }
  expect(rebaseWithout([earlier, droppedItself, many], droppedItself, ['name'])).toEqual([])
})
