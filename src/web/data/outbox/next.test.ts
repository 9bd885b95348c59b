import { expect, test } from 'vitest'
import { dependentsOf, heldBackBy, nextToSend } from './next.ts'
import { concerns, withRowId } from './operation.ts'
import { testOperation } from './test-operation.ts'

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
