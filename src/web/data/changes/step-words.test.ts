import { beforeAll, describe, expect, test } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { stepWords } from './step-words.ts'

let tab: LoneTab

beforeAll(async () => {
  tab = await openLoneTab()
  const { data } = tab
  putRows(data, 'deals', { id: 'roof', name: 'Roof' }, { id: 'wall', name: 'Wall' })
  putRows(
    data,
    'contacts',
    { id: 'owen', first_name: 'Owen', email: null },
    { id: 'none', first_name: null, email: null, phone: null },
  )
  putRows(data, 'tasks', { id: 'call', title: 'Call' })
  putRows(data, 'deal_stages', { id: 'won', name: 'Won' })
  putRows(data, 'memberships', { id: 'bo', display_name: 'Bo' })
})

const wordsOf = (...operations: Partial<Operation>[]) =>
  stepWords(tab.data, {
    operations: operations.map((parts) =>
      testOperation({ brandId: acme, rowId: 'roof', preview: {}, base: {}, ...parts }),
    ),
  }).words

describe('a step is described', () => {
  test.each<[string, Partial<Operation>]>([
    ['Roof moved to Won', { values: { stage_id: 'won' } }],
    ['Roof moved', { values: { stage_id: 'unknown' } }],
    ['Stage of Roof changed', { values: { stage_id: null } }],
    ['Roof deleted', { kind: 'delete' }],
    ['3 deals deleted', { kind: 'delete', rowIds: ['a', 'b', 'c'] }],
    ['Roof brought back', { kind: 'restore' }],
    ['Roof created', { kind: 'insert' }],
    ['Call created', { kind: 'insert', table: 'tasks', rowId: 'call' }],
    ['Owen added', { kind: 'call', table: 'contacts', rowId: 'owen' }],
    ['Slate added', { kind: 'insert', table: 'companies', rowId: 'new', preview: { name: 'Slate' } }],
    ['A company added', { kind: 'insert', table: 'companies', rowId: 'new' }],
    ['Call completed', { table: 'tasks', rowId: 'call', values: { status: 'done' } }],
    ['Call reopened', { table: 'tasks', rowId: 'call', values: { status: 'open' } }],
    ['Amount of Roof changed', { values: { amount: 5 } }],
    ['Amount of Roof changed', { values: { amount_currency: 'EUR', amount: 5 } }],
    ['Contact of Roof changed', { values: { company_id: 'slate', contact_id: 'owen' } }],
    ['Roof edited', { values: { name: 'x', expected_close_date: null } }],
    ['Roof edited', { values: { name: 'x', amount: 5 } }],
    ['Roof edited', { values: { owner_id: null, amount: 5, amount_currency: 'EUR' } }],
    ['Job title of Owen changed', { table: 'contacts', rowId: 'owen', values: { title: 'CEO' } }],
    ['Phone of A contact changed', { table: 'contacts', rowId: 'none', values: { phone: '1' } }],
    ['Ruf renamed to Roof', { values: { name: 'Roof' }, base: { name: 'Ruf' } }],
    ['A record renamed to Roof', { values: { name: 'Roof' } }],
    ['Ring renamed to Call', { table: 'tasks', rowId: 'call', values: { title: 'Call' }, base: { title: 'Ring' } }],
    ['Roof given to you', { values: { owner_id: ana } }],
    ['Roof given to Bo', { values: { owner_id: 'bo' } }],
    ['Roof given to a member', { values: { owner_id: 'zoe' } }],
    ['Roof given to nobody', { values: { owner_id: null } }],
    ['Call given to you', { table: 'tasks', rowId: 'call', values: { assignee_id: ana } }],
    ['2 deals moved to Won', { kind: 'update-all', rowIds: ['roof', 'wall'], values: { stage_id: 'won' } }],
    ['Change', { table: 'deal_stages', values: { name: 'x' } }],
  ])('a step is described as: %s', (expected, parts) => {
    expect(wordsOf(parts)).toBe(expected)
  })

  test('a step is described by its records, each counted once', () => {
    const move = { values: { stage_id: 'won' } }
    expect(wordsOf(move, { ...move, rowId: 'wall' }, { ...move, rowId: 'wall' })).toBe('2 deals moved to Won')
    expect(wordsOf(move, move)).toBe('Roof moved to Won')
    expect(wordsOf({ ...move, table: 'tasks', rowId: 'call' }, move)).toBe('Roof moved to Won')
    expect(wordsOf({ kind: 'delete', rowId: 'wall' }, move)).toBe('Roof moved to Won')
  })

  test('a step is described by the record that it created, whatever it wrote to the record afterwards', () => {
    expect(wordsOf({ kind: 'insert' }, { values: { amount: 5 } })).toBe('Roof created')
    expect(wordsOf({ kind: 'insert', rowId: 'wall' }, { values: { amount: 5 } })).toBe('Amount of Roof changed')
    expect(wordsOf({ kind: 'delete' }, { values: { amount: 5 } })).toBe('Amount of Roof changed')
  })

  test('a step is described as "Change" if it has no operations left', () => {
    expect(wordsOf()).toBe('Change')
  })
})
