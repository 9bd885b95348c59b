import { describe, expect, test } from 'vitest'
import { acme, openLoneTab, putRows, type LoneTab } from '#tests/harness/lone-tab.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { queueLine } from './queue-lines.ts'

async function openTab(): Promise<LoneTab> {
  const tab = await openLoneTab()
  putRows(tab.data, 'deals', { id: 'deal-1', name: 'Roof' })
  putRows(tab.data, 'memberships', { id: 'bo', display_name: 'Bo' })
  putRows(tab.data, 'custom_fields', { id: 'f', label: 'Renewal', type: 'text', options: [] })
  return tab
}

async function lineOf(parts: Partial<Operation>, others: readonly Operation[] = []) {
  const { device } = await openTab()
  const operation = testOperation({ brandId: acme, seq: 5, ...parts })
  return queueLine(
    device,
    operation,
    [...others, operation].sort((a, b) => a.seq - b.seq),
  )
}

const reasonOf = async (...given: Parameters<typeof lineOf>) => (await lineOf(...given)).reason

test('a line of the queue names the record, if it is a single record of the open brand', async () => {
  expect(await lineOf({})).toMatchObject({
    id: 'operation-1',
    word: 'deal',
    name: 'Roof',
    reason: null,
    dependentCount: 0,
  })
  expect((await lineOf({ rowIds: ['deal-1'] })).name).toBe('Roof')
  expect((await lineOf({ rowIds: ['deal-1', 'deal-2'] })).name).toBeNull()
  expect((await lineOf({ rowId: 'gone' })).name).toBeNull()
  expect((await lineOf({ brandId: 'other' })).name).toBeNull()
})

test('a line of the queue shows whether the edit was made offline', async () => {
  expect((await lineOf({ awaited: false })).wasOffline).toBe(true)
  expect((await lineOf({ awaited: true })).wasOffline).toBe(false)
  expect((await lineOf({})).wasOffline).toBe(false)
})

describe('an operation that waits', () => {
  const creation = testOperation({ seq: 1, id: 'creation', kind: 'insert', table: 'contacts', rowId: 'owen' })

  test('the line of a waiting operation shows for which record or decision it waits, if an earlier operation blocks it', async () => {
    const linkToOwen = { values: { contact_id: 'owen' } }
    expect(await reasonOf(linkToOwen, [{ ...creation, state: 'failed' }])).toBe('waits for the contact')
    expect(await reasonOf(linkToOwen, [creation])).toBeNull()
    expect(await reasonOf({}, [testOperation({ seq: 1, id: 'asked', state: 'conflict' })])).toBe(
      'waits for your answer',
    )
    expect(await reasonOf({}, [testOperation({ seq: 1, id: 'asked', state: 'deleted' })])).toBe('waits for your answer')
    const refused = testOperation({ seq: 1, id: 'asked', state: 'failed', values: { name: 'Mine', amount: -1 } })
    expect(await reasonOf({ values: { name: 'Roof' } }, [refused])).toBe('waits for the deal')
    expect(await reasonOf({}, [testOperation({ seq: 1, id: 'asked', state: 'newer' })])).toBe('waits for the deal')
  })

  test('the line of an operation that needs attention counts its dependents; the line of a waiting operation counts none', async () => {
    const later = testOperation({ seq: 9, id: 'later', values: { contact_id: 'owen' } })
    const { dependentCount } = await lineOf({ ...creation, seq: 5, state: 'failed' }, [later])
    expect(dependentCount).toBe(1)
    expect((await lineOf({ ...creation, seq: 5 }, [later])).dependentCount).toBe(0)
  })
})

describe('the reason of an operation that needs attention', () => {
  test('the reason why an operation needs attention is the refusal, with its title', async () => {
    expect(await reasonOf({ state: 'failed', reason: 'Too large', kind: 'insert' })).toBe(
      'Error creating deal: Too large',
    )
    expect(await reasonOf({ state: 'failed', code: '42501', kind: 'insert' })).toBe(
      'Error creating deal: You may not do this.',
    )
    expect(await reasonOf({ state: 'failed', kind: 'insert' })).toBe('Error creating deal: ')
  })

  test('the reason why an operation needs attention names the person who deleted the record, and the time, as far as they are known', async () => {
    const deleted = { state: 'deleted', theirsAt: '2026-11-20T09:31:00' } as const
    expect(await reasonOf({ ...deleted, theirsBy: 'bo' })).toBe('Bo deleted this deal at 09:31.')
    expect(await reasonOf(deleted)).toBe('A colleague deleted this deal at 09:31.')
    expect(await reasonOf({ ...deleted, rowIds: ['a'] })).toBe('A colleague deleted this deal at 09:31.')
    expect(await reasonOf({ ...deleted, rowIds: ['a', 'b'] })).toBe('A colleague deleted 2 of these deals at 09:31.')
    expect(await reasonOf({ state: 'deleted', reason: 'It is gone.' })).toBe('It is gone.')
    expect(await reasonOf({ state: 'deleted' })).toBe('This record was deleted meanwhile.')
  })

  test('a line of the queue asks for a reload if a newer version of the app wrote the operation', async () => {
    expect(await reasonOf({ state: 'newer' })).toBe('This page is out of date. Reload it, then try again.')
  })
})

test('a conflict lists its fields, and the fields that are saved with either decision', async () => {
  const line = await lineOf({
    state: 'conflict',
    values: { amount: 5, owner_id: 'bo', 'custom.f': 'x' },
    conflicts: [{ field: 'amount', base: 1, mine: 5, theirs: 9 }],
    theirsBy: 'bo',
    theirsAt: '2026-11-20T09:31:00Z',
  })
  expect(line).toMatchObject({
    reason: null,
    conflicts: [{ field: 'amount', name: 'amount', base: '1', mine: '5', theirs: '9' }],
    otherFields: ['owner', 'Renewal'],
    theirsBy: 'Bo',
    theirsAt: '2026-11-20T09:31:00Z',
  })
  expect((await lineOf({ values: { amount: 5 } })).otherFields).toEqual([])
})

test('amount and currency are one question, in which each amount has its own currency', async () => {
  const line = await lineOf({
    state: 'conflict',
    values: { amount: 1200, amount_currency: 'GBP', owner_id: 'bo' },
    base: { amount: 1000, amount_currency: 'GBP', owner_id: null },
    conflicts: [
      { field: 'amount', base: 1000, mine: 1200, theirs: 1150 },
      { field: 'amount_currency', base: 'GBP', mine: 'GBP', theirs: 'EUR' },
    ],
  })
  expect(line).toMatchObject({
    conflicts: [{ name: 'amount', base: '£1,000', mine: '£1,200' }],
    otherFields: ['owner'],
  })
  expect(line.conflicts).toHaveLength(1)
})

test('a refused new record can be corrected in its form, but not a tag, a note, an undo of a delete, a waiting record, or a record of another brand', async () => {
  const failed = { state: 'failed', kind: 'insert' } as const
  expect((await lineOf(failed)).canCorrect).toBe(true)
  expect((await lineOf({ ...failed, kind: 'call' })).canCorrect).toBe(true)
  expect((await lineOf({ ...failed, table: 'tags' })).canCorrect).toBe(false)
  expect((await lineOf({ ...failed, table: 'notes' })).canCorrect).toBe(false)
  expect((await lineOf({ ...failed, table: 'memberships' })).canCorrect).toBe(false)
  expect((await lineOf({ ...failed, kind: 'restore' })).canCorrect).toBe(false)
  expect((await lineOf({ ...failed, state: 'waiting' })).canCorrect).toBe(false)
  expect((await lineOf({ ...failed, brandId: 'other' })).canCorrect).toBe(false)
})
