import { expect, test } from 'vitest'
import { dependentsOf, heldBackBy, nextToSend } from './next.ts'
import { concerns, withRowId } from '#web/data/store/operation.ts'
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
const other = testOperation({ seq: 4, id: 'other', rowId: 'roof' })

test('what depends on something refused waits, also over one step; the rest goes on', () => {
  const all = [contact, deal, move, other]
  expect(nextToSend(all)?.id).toBe('other')
  expect(heldBackBy(all, deal)?.id).toBe('contact')
  expect(heldBackBy(all, move)?.id).toBe('deal')
})

test('once it waits again everything goes in order', () => {
  expect(nextToSend([{ ...contact, state: 'waiting' }, deal, move])?.id).toBe('contact')
})

test('a later edit of a row waits while an earlier one is in question', () => {
  const asked = testOperation({ seq: 1, id: 'asked', state: 'conflict' })
  const later = testOperation({ seq: 2, id: 'later' })
  expect(nextToSend([asked, later])).toBeUndefined()
  expect(heldBackBy([asked, later], later)?.id).toBe('asked')
})

test('giving up a create gives up what cannot go on without it; giving up an edit gives up nothing else', () => {
  expect(dependentsOf([contact, deal, move, other], contact).map(({ id }) => id)).toEqual(['deal', 'move'])
  expect(dependentsOf([move, testOperation({ seq: 9, rowId: 'slate' })], move)).toEqual([])
})

test('an id that the server merged into another one is replaced wherever it stands', () => {
  const call = testOperation({
    rowId: 'owen',
    call: { name: 'f', args: { p_id: 'owen', p_email: 'o@x.test' } },
    values: {},
  })
  const merged = withRowId(call, 'owen', 'known')
  expect(merged).toMatchObject({ rowId: 'known', call: { args: { p_id: 'known', p_email: 'o@x.test' } } })
  expect(concerns(withRowId(deal, 'owen', 'known'), 'known')).toBe(true)
  expect(concerns(withRowId(deal, 'owen', 'known'), 'owen')).toBe(false)
})

test('an undo waits for its delete, and an edit for the undo', () => {
  const gone = testOperation({ seq: 1, id: 'gone', kind: 'delete', rowId: 'slate', rowIds: ['slate', 'roof'] })
  const back = testOperation({ seq: 2, id: 'back', kind: 'restore', rowId: 'slate', rowIds: ['slate', 'roof'] })
  const edit = testOperation({ seq: 3, id: 'edit', rowId: 'roof' })
  expect(nextToSend([gone, back, edit])?.id).toBe('gone')
  expect(heldBackBy([{ ...back, state: 'failed' }, edit], edit)?.id).toBe('back')
  expect(dependentsOf([gone, back, edit], back)).toEqual([edit])
  expect(dependentsOf([gone, back, edit], gone)).toEqual([])
})

test('a delete that was refused holds nothing back, and an edit in question does not hold a delete back', () => {
  const refused = testOperation({ seq: 1, id: 'refused', kind: 'delete', rowIds: ['deal-1'], state: 'failed' })
  const asked = testOperation({ seq: 2, id: 'asked', state: 'conflict' })
  const gone = testOperation({ seq: 3, id: 'gone', kind: 'delete', rowIds: ['deal-1'] })
  expect(heldBackBy([refused, asked], asked)).toBeUndefined()
  expect(nextToSend([refused, asked, gone])?.id).toBe('gone')
})

test('a delete of a row whose making was refused waits with it', () => {
  const gone = testOperation({ seq: 5, id: 'gone', kind: 'delete', table: 'contacts', rowId: 'owen', rowIds: ['owen'] })
  expect(heldBackBy([contact, gone], gone)?.id).toBe('contact')
  expect(dependentsOf([contact, gone], contact)).toEqual([gone])
})

test('another id for a new row goes into what deletes it and brings it back', () => {
  const rows = { owen: { id: 'owen', first_name: 'Owen' } }
  const back = testOperation({ kind: 'restore', rowId: 'owen', rowIds: ['owen', 'zoe'], restored: rows })
  expect(withRowId(back, 'owen', 'oscar')).toMatchObject({
    rowId: 'oscar',
    rowIds: ['oscar', 'zoe'],
    restored: { oscar: { id: 'oscar', first_name: 'Owen' } },
  })
})

test('behind an operation of a newer version of the app waits what concerns its record, and nothing else', () => {
  const newer = { ...testOperation({ id: 'newer' }), shape: operationShape + 1 }
  const same = testOperation({ seq: 2, id: 'same' })
  const linked = testOperation({ seq: 3, id: 'linked', table: 'tasks', rowId: 'call', values: { deal_id: 'deal-1' } })
  const elsewhere = testOperation({ seq: 4, id: 'elsewhere', rowId: 'deal-2' })
  const all = [upgradeOperation(newer), same, linked, elsewhere]
  expect(nextToSend(all)?.id).toBe('elsewhere')
  expect(heldBackBy(all, same)?.id).toBe('newer')
  expect(heldBackBy(all, linked)?.id).toBe('newer')
})
