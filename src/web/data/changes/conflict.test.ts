import { describe, expect, test } from 'vitest'
import { hasValues, isOvertaken, judgeUpdate } from './conflict.ts'
import { isSameValue } from './same-value.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'

test('an edit is rebased on the new version and sent again if a colleague changed only other fields', () => {
  const operation = testOperation({ values: { name: 'Migration' }, base: { name: 'Data migration' } })
  const current = testDeal({ version: 7, amount: 999 })
  expect(judgeUpdate(operation, current)).toEqual({
    kind: 'resend',
    version: 7,
    base: { name: 'Data migration' },
    values: { name: 'Migration' },
  })
})

test('the user is asked if a colleague changed the same field, and gets the earlier value and both new values', () => {
  const operation = testOperation({ values: { amount: 62_700 }, base: { amount: 60_000 } })
  const row = testDeal({ version: 4, amount: 58_900 })
  const verdict = judgeUpdate(operation, row)
  expect(verdict).toEqual({
    kind: 'ask',
    conflicts: [{ field: 'amount', base: 60_000, mine: 62_700, theirs: 58_900 }],
    row,
  })
})

test.each([
  ['amount, and this user changed the currency', { amount: 1000, amount_currency: 'USD' }, { amount: 5000 }],
  ['currency, and this user changed the amount', { amount: 1200, amount_currency: 'GBP' }, { amount_currency: 'EUR' }],
])('the user is asked about amount and currency together if a colleague changed the %s', (_, values, theirs) => {
  const before = { amount: 1000, amount_currency: 'GBP' }
  const operation = testOperation({ values: { name: 'Roof', ...values }, base: { name: 'Data migration', ...before } })
  const row = testDeal({ version: 4, ...before, ...theirs })
  const { amount, amount_currency } = row
  expect(judgeUpdate(operation, row)).toEqual({
    kind: 'ask',
    conflicts: [
      { field: 'amount', base: 1000, mine: values.amount, theirs: amount },
      { field: 'amount_currency', base: 'GBP', mine: values.amount_currency, theirs: amount_currency },
    ],
    row,
  })
  expect(judgeUpdate({ ...operation, givesWay: true }, row)).toEqual({ kind: 'overtaken' })
})

test('nothing is sent if a colleague made the same change', () => {
  const operation = testOperation({ values: { amount: 5 }, base: { amount: 1 } })
  expect(judgeUpdate(operation, testDeal({ version: 9, amount: 5 }))).toEqual({ kind: 'done' })
})

test('a row that a colleague deleted stays deleted', () => {
  expect(judgeUpdate(testOperation({}), undefined)).toEqual({ kind: 'deleted' })
})

test('the later of two moves to a stage wins', () => {
  const operation = testOperation({ lastWriteStands: true, at: '2026-11-20T09:31:00+00:00' })
  const earlier = testDeal({ stage_id: 'won', version: 5, updated_at: '2026-11-20T09:30:00+00:00' })
  expect(judgeUpdate(operation, earlier)).toMatchObject({ kind: 'resend', version: 5, base: { stage_id: 'won' } })
  const later = testDeal({ stage_id: 'won', version: 5, updated_at: '2026-11-20T09:32:00+00:00' })
  expect(judgeUpdate(operation, later)).toEqual({ kind: 'overtaken' })
  const atSameMoment = testDeal({ stage_id: 'won', version: 5, updated_at: '2026-11-20T09:31:00Z' })
  expect(judgeUpdate(operation, atSameMoment)).toMatchObject({ kind: 'resend' })
})

test('a move is compared with the time of the other move, not with a later edit of another field', () => {
  const move = testOperation({ lastWriteStands: true, at: '2026-11-20T09:31:00+00:00' })
  const moveOfMany = testOperation({ ...move, kind: 'update-all', bases: { 'deal-1': { stage_id: 'incoming' } } })
  const moved = (minute: string) =>
    testDeal({
      stage_id: 'won',
      stage_since: `2026-11-20T09:${minute}:00+00:00`,
      updated_at: '2026-11-20T09:40:00+00:00',
      version: 5,
    })
  expect(judgeUpdate(move, moved('30'))).toMatchObject({ kind: 'resend', version: 5 })
  expect(judgeUpdate(move, moved('32'))).toEqual({ kind: 'overtaken' })
  expect([isOvertaken(moveOfMany, moved('30')), isOvertaken(moveOfMany, moved('32'))]).toEqual([false, true])
})

describe('a link that is empty on the server', () => {
  const isDeleted = (id: string) => id === 'owen'
  const verdictKind = (base: unknown, theirs: unknown) =>
    judgeUpdate(
      testOperation({ values: { contact_id: 'bea' }, base: { contact_id: base } }),
      testDeal({ contact_id: theirs, version: 5 }),
      isDeleted,
    ).kind

  test('a link that is empty on the server because its record was deleted causes no conflict', () => {
    expect(verdictKind('owen', null)).toBe('resend')
    expect(verdictKind('owen', undefined)).toBe('resend')
  })

  test('a link that is empty on the server because a colleague emptied it causes a conflict; so does a link that a colleague set to another record', () => {
    expect(verdictKind('zoe', null)).toBe('ask')
    expect(verdictKind('owen', 'zoe')).toBe('ask')
  })

  test('a link that is empty on the server causes a conflict if it is not known which records were deleted', () => {
    const operation = testOperation({ values: { contact_id: 'bea' }, base: { contact_id: 'owen' } })
    expect(judgeUpdate(operation, testDeal({ contact_id: null })).kind).toBe('ask')
  })
})

test('two times are equal if they are the same moment, however they are written; other texts are compared exactly; null equals undefined', () => {
  expect(isSameValue('2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00+00:00')).toBe(true)
  expect(isSameValue('2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z')).toBe(false)
  expect(isSameValue(null, undefined)).toBe(true)
  expect(isSameValue(undefined, null)).toBe(true)
  expect(isSameValue('', null)).toBe(false)
  expect(isSameValue('1', 1)).toBe(false)
  expect(isSameValue('2026', '2026-01-01')).toBe(false)
  expect(isSameValue('2026-11-20T10:00:00Z', '2026-11-20')).toBe(false)
})

test('lists and objects are compared by their content', () => {
  expect(isSameValue(['a', 'b'], ['a', 'b'])).toBe(true)
  expect(isSameValue(['a'], ['b'])).toBe(false)
  expect(isSameValue(['a'], 'a')).toBe(false)
  expect(isSameValue('a', ['a'])).toBe(false)
})

describe('an edit of many rows that has waited', () => {
  const edit = testOperation({
    kind: 'update-all',
    rowIds: ['deal-1'],
    values: { owner_id: 'me', amount: 5 },
    bases: { 'deal-1': { owner_id: 'old', amount: 1 } },
    at: '2026-11-20T09:31:00Z',
  })
  const currentRow = (parts: Record<string, unknown>, minute = 32) =>
    testDeal({ owner_id: 'old', amount: 1, updated_at: `2026-11-20T09:${minute}:00Z`, ...parts })

  test('an edit of many rows that has waited does not write a row if a colleague changed one of the edited fields later', () => {
    expect(isOvertaken(edit, currentRow({ owner_id: 'theirs' }))).toBe(true)
    expect(isOvertaken(edit, currentRow({ amount: 9 }))).toBe(true)
  })

  test('an edit of many rows that has waited writes a row if colleagues changed other fields, set the same value, or changed an edited field before the edit', () => {
    expect(isOvertaken(edit, currentRow({ name: 'Theirs' }))).toBe(false)
    expect(isOvertaken(edit, currentRow({ owner_id: 'me' }))).toBe(false)
    expect(isOvertaken(edit, currentRow({ owner_id: 'theirs' }, 30))).toBe(false)
    expect(isOvertaken(edit, currentRow({ owner_id: 'theirs' }, 31))).toBe(false)
  })

  test('an edit of many rows that has waited writes a row that this device had never seen', () => {
    expect(isOvertaken({ ...edit, bases: {} }, currentRow({ owner_id: 'theirs' }))).toBe(false)
    const { bases: _, ...unseen } = edit
    expect(isOvertaken(unseen, currentRow({ owner_id: 'theirs' }))).toBe(false)
  })

  test('an undo that has waited gives way to any change that this device has not seen, even if it was made before the undo', () => {
    expect(isOvertaken({ ...edit, givesWay: true }, currentRow({ owner_id: 'theirs' }, 30))).toBe(true)
    expect(isOvertaken({ ...edit, givesWay: true }, currentRow({}, 32))).toBe(false)
  })

  test('an edit of tags never gives way to a later change, because tags are merged', () => {
    const tags = { ...edit, values: { tag_ids: { add: ['a'], remove: [] } }, bases: { 'deal-1': { tag_ids: [] } } }
    expect(isOvertaken(tags, currentRow({ tag_ids: ['b'] }))).toBe(false)
  })
})

test('`hasValues` is true if the row has all values and added tags of the edit, and none of the tags that it removes', () => {
  const edit = { values: { amount: 5, tag_ids: { add: ['a'], remove: ['b'] } } }
  expect(hasValues(edit, testDeal({ amount: 5, tag_ids: ['a', 'c'] }))).toBe(true)
  expect(hasValues(edit, testDeal({ amount: 5, tag_ids: ['a', 'b'] }))).toBe(false)
  expect(hasValues(edit, testDeal({ amount: 6, tag_ids: ['a'] }))).toBe(false)
  expect(hasValues({ values: { amount: 5 } }, testDeal({ amount: 5 }))).toBe(true)
})
