import { expect, test } from 'vitest'
import { dependentsOf, blockerOf, nextToSend, replacesEdit } from './send-order.ts'
import { refersToRow, withRowId } from '#web/data/store/operation.ts'
import { operationShape, upgradeOperation } from '#web/data/store/operation-shape.ts'
import { testOperation } from '#web/data/store/test-operation.ts'

const contact = testOperation({
  seq: 1,
  id: 'contact',
  table: 'contacts',
  rowId: 'owen',
  kind: 'call',
  state: 'failed',
})
const deal = testOperation({ seq: 2, id: 'deal', rowId: 'slate', kind: 'insert', values: { contact_id: 'owen' } })
const move = testOperation({ seq: 3, id: 'move', rowId: 'slate' })
const unrelated = testOperation({ seq: 4, id: 'other', rowId: 'roof' })

test('operations that depend on a refused one, directly or indirectly, wait; the others are sent', () => {
  const all = [contact, deal, move, unrelated]
  expect(nextToSend(all)?.id).toBe('other')
  expect(blockerOf(all, deal)?.id).toBe('contact')
  expect(blockerOf(all, move)?.id).toBe('deal')
})

test('after a retry the first operation is sent next, and no operation is blocked', () => {
  const all = [testOperation({ ...contact, state: 'waiting' }), deal, move]
  expect(nextToSend(all)?.id).toBe('contact')
  expect(all.map((operation) => blockerOf(all, operation))).toEqual([undefined, undefined, undefined])
})

test('a later edit of a row waits while an earlier one is in conflict', () => {
  const conflicting = testOperation({ seq: 1, id: 'asked', state: 'conflict' })
  const later = testOperation({ seq: 2, id: 'later' })
  expect(nextToSend([conflicting, later])).toBeUndefined()
  expect(blockerOf([conflicting, later], later)?.id).toBe('asked')
})

test.each([
  ['sets none of its fields', { amount: 5 }, true],
  ['sets all of its fields', { stage_id: 'won', name: 'Roof', amount: 5 }, true],
  ['sets some of its fields', { stage_id: 'won' }, false],
] as const)('a later edit of a row that %s is sent after a refused one: %j, %s', (_, values, isSent) => {
  const refused = testOperation({ seq: 1, id: 'refused', state: 'failed', values: { stage_id: 'gone', name: 'Wall' } })
  const later = testOperation({ seq: 2, id: 'later', values })
  expect(nextToSend([refused, later])?.id).toBe(isSent ? 'later' : undefined)
  expect(nextToSend([{ ...refused, state: 'conflict' }, later])).toBeUndefined()
  const bulk = testOperation({ ...later, kind: 'update-all', rowIds: [refused.rowId] })
  expect(nextToSend([refused, bulk])?.id).toBe(isSent && !('stage_id' in values) ? 'later' : undefined)
  expect(nextToSend([{ ...refused, kind: 'insert' }, later])).toBeUndefined()
  expect(replacesEdit(later, { ...refused, also: { next: null } })).toBe(false)
})

test('the dependents of a creation are the operations that cannot be sent without it; an edit has no dependents', () => {
  expect(dependentsOf([contact, deal, move, unrelated], contact).map(({ id }) => id)).toEqual(['deal', 'move'])
  expect(dependentsOf([move, testOperation({ seq: 9, rowId: 'slate' })], move)).toEqual([])
})

test('an id that the server replaced is replaced everywhere in an operation', () => {
  const call = testOperation({
    rowId: 'owen',
    call: { name: 'f', args: { p_id: 'owen', p_email: 'o@x.test' } },
    values: {},
  })
  const merged = withRowId(call, 'owen', 'known')
  expect(merged).toMatchObject({ rowId: 'known', call: { args: { p_id: 'known', p_email: 'o@x.test' } } })
  expect(refersToRow(withRowId(deal, 'owen', 'known'), 'known')).toBe(true)
  expect(refersToRow(withRowId(deal, 'owen', 'known'), 'owen')).toBe(false)
})

test('an undo waits for the delete that it undoes, and a later edit waits for the undo', () => {
  const deletion = testOperation({ seq: 1, id: 'deletion', kind: 'delete', rowId: 'slate', rowIds: ['slate', 'roof'] })
  const undo = testOperation({ seq: 2, id: 'undo', kind: 'restore', rowId: 'slate', rowIds: ['slate', 'roof'] })
  const edit = testOperation({ seq: 3, id: 'edit', rowId: 'roof' })
  expect(nextToSend([deletion, undo, edit])?.id).toBe('deletion')
  expect(blockerOf([{ ...undo, state: 'failed' }, edit], edit)?.id).toBe('undo')
  expect(dependentsOf([deletion, undo, edit], undo)).toEqual([edit])
  expect(dependentsOf([deletion, undo, edit], deletion)).toEqual([])
})

test('a refused delete blocks nothing, and an edit in conflict does not block a delete', () => {
  const refused = testOperation({ seq: 1, id: 'refused', kind: 'delete', rowIds: ['deal-1'], state: 'failed' })
  const conflicting = testOperation({ seq: 2, id: 'asked', state: 'conflict' })
  const deletion = testOperation({ seq: 3, id: 'deletion', kind: 'delete', rowIds: ['deal-1'] })
  expect(blockerOf([refused, conflicting], conflicting)).toBeUndefined()
  expect(nextToSend([refused, conflicting, deletion])?.id).toBe('deletion')
})

test('no edit of a record blocks the restore of the record, neither one that waits for a decision nor one behind it', () => {
  const stuck = testOperation({ seq: 1, id: 'stuck', state: 'deleted' })
  const behind = testOperation({ seq: 2, id: 'behind' })
  const undo = testOperation({ seq: 3, id: 'undo', kind: 'restore', rowIds: ['deal-1'] })
  const all = [stuck, behind, undo]
  expect(nextToSend(all)?.id).toBe('undo')
  expect(blockerOf(all, undo)).toBeUndefined()
  expect(blockerOf(all, behind)?.id).toBe('stuck')
})

test('a delete that can be sent blocks nothing; a blocked delete blocks the operations that follow it', () => {
  const deletion = testOperation({ seq: 2, id: 'deletion', kind: 'delete', table: 'contacts', rowId: 'owen' })
  const undo = testOperation({ seq: 3, id: 'undo', kind: 'restore', table: 'contacts', rowId: 'owen' })
  expect(blockerOf([deletion, undo], undo)).toBeUndefined()
  expect(blockerOf([contact, deletion, undo], undo)?.id).toBe('contact')
})

test('a delete of a row waits if the creation of the row was refused', () => {
  const deletion = testOperation({
    seq: 5,
    id: 'deletion',
    kind: 'delete',
    table: 'contacts',
    rowId: 'owen',
    rowIds: ['owen'],
  })
  expect(blockerOf([contact, deletion], deletion)?.id).toBe('contact')
  expect(dependentsOf([contact, deletion], contact)).toEqual([deletion])
})

test('the id that the server gives a new row replaces the earlier id in the row’s delete and undo', () => {
  const rows = { owen: { id: 'owen', first_name: 'Owen' } }
  const undo = testOperation({ kind: 'restore', rowId: 'owen', rowIds: ['owen', 'zoe'], restored: rows })
  expect(withRowId(undo, 'owen', 'oscar')).toMatchObject({
    rowId: 'oscar',
    rowIds: ['oscar', 'zoe'],
    restored: { oscar: { id: 'oscar', first_name: 'Owen' } },
  })
})

test('an operation of a newer version of the app blocks only operations on its record, and those that refer to the record', () => {
  const newer = { ...testOperation({ id: 'newer' }), shape: operationShape + 1 }
  const same = testOperation({ seq: 2, id: 'same' })
  const linked = testOperation({ seq: 3, id: 'linked', table: 'tasks', rowId: 'call', values: { deal_id: 'deal-1' } })
  const elsewhere = testOperation({ seq: 4, id: 'elsewhere', rowId: 'deal-2' })
  const all = [upgradeOperation(newer), same, linked, elsewhere]
  expect(nextToSend(all)?.id).toBe('elsewhere')
  expect(blockerOf(all, same)?.id).toBe('newer')
  expect(blockerOf(all, linked)?.id).toBe('newer')
})
