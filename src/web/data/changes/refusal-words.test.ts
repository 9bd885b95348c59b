import { describe, expect, test } from 'vitest'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { creationOutcome, refusalMessage, refusalTitle } from './refusal-words.ts'

describe('the title of a refusal', () => {
  test.each<[string, Partial<Operation>]>([
    ['Error creating deal', { kind: 'insert', table: 'deals' }],
    ['Error creating task', { kind: 'insert', table: 'tasks' }],
    ['Error adding contact', { kind: 'call', table: 'contacts' }],
    ['Error adding company', { kind: 'insert', table: 'companies' }],
    ['Error adding further contact', { kind: 'insert', table: 'deal_contacts' }],
    ['Error moving deal', { kind: 'update', values: { stage_id: 'won' } }],
    ['Error moving deal', { kind: 'update-all', values: { stage_id: 'won' }, rowIds: ['a', 'b'] }],
    ['Error updating deal', { kind: 'update', values: { amount: 1 } }],
    ['Error updating deals', { kind: 'update-all', values: { amount: 1 }, rowIds: ['a', 'b'] }],
    ['Error updating company', { kind: 'update', table: 'companies', values: { stage_id: 'x' } }],
    ['Failed to update task', { kind: 'update', table: 'tasks', values: { status: 'done' } }],
    ['Failed to update task', { kind: 'update-all', table: 'tasks', values: {}, rowIds: ['a', 'b'] }],
    ['Error deleting task', { kind: 'delete', table: 'tasks', values: {} }],
    ['Error deleting contacts', { kind: 'delete', table: 'contacts', values: {}, rowIds: ['a', 'b'] }],
    // A restore is the undo of a delete, the redo of a creation, or 'Restore' in a panel.
    ['Error restoring task', { kind: 'restore', table: 'tasks', values: {} }],
    ['Error restoring contacts', { kind: 'restore', table: 'contacts', values: {}, rowIds: ['a', 'b'] }],
  ])('the title of a refusal is: %s', (title, parts) => {
    expect(refusalTitle(testOperation(parts))).toBe(title)
  })
})

describe('the message of a refusal', () => {
  const deal = (values: Record<string, unknown>) => testOperation({ table: 'deals', values, userId: 'me' })

  test('the message of a refusal is the message of the server', () => {
    expect(refusalMessage(deal({}), 'Amount is too large', '22003')).toBe('Amount is too large')
    expect(refusalMessage(deal({}), 'Amount is too large', null)).toBe('Amount is too large')
  })

  test('the message of a refusal names the value that is taken, if the table has a sentence for it', () => {
    const takenMessage = (table: Operation['table']) =>
      refusalMessage(testOperation({ table }), 'duplicate key', '23505')
    expect(takenMessage('contacts')).toBe('Another contact has this email address.')
    expect(takenMessage('tags')).toBe('Another tag has this name.')
    expect(takenMessage('custom_fields')).toBe('Another field has this name.')
    expect(takenMessage('deal_contacts')).toBe('This contact is in the deal already.')
    expect(takenMessage('deals')).toBe('duplicate key')
  })

  test('the message of a refusal names the linked record that is gone, and leaves out the brand, the user and empty links', () => {
    const gone = (values: Record<string, unknown>) => refusalMessage(deal(values), 'violates foreign key', '23503')
    expect(gone({ contact_id: 'a', name: 'Roof' })).toBe('Its contact no longer exists.')
    expect(gone({ contact_id: 'a', company_id: 'b', brand_id: 'acme', owner_id: 'me' })).toBe(
      'Its contact or company no longer exists.',
    )
    expect(gone({ contact_id: null, name: 'Roof' })).toBe('Its stage or linked record no longer exists.')
  })

  test('the message of a refusal says that the edit is not allowed', () => {
    expect(refusalMessage(deal({}), 'violates row-level security', '42501')).toBe('You may not do this.')
  })
})

test('a refused creation names the links that may be deleted, and keeps every other message', () => {
  const refused = { status: 'refused', message: 'violates foreign key constraint', code: '23503' } as const
  const deal = { name: 'Roof', stage_id: 'won', company_id: 'acme', contact_id: null }
  expect(creationOutcome(refused, 'deals', deal)).toEqual({
    ...refused,
    message: 'Its stage or company no longer exists.',
  })
  const tooLarge = { ...refused, message: 'Too large', code: '23514' }
  expect(creationOutcome(tooLarge, 'deals', deal)).toEqual(tooLarge)
  expect(creationOutcome({ status: 'saved', id: 'roof' }, 'deals', deal)).toEqual({ status: 'saved', id: 'roof' })
})
