import { expect, test } from 'vitest'
import { judgeUpdate, same } from './conflict.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'

test('other fields changed: the edit is rebased on the new version and sent again', () => {
  const operation = testOperation({ values: { name: 'Migration' }, base: { name: 'Data migration' } })
  const current = testDeal({ version: 7, amount: 999 })
  expect(judgeUpdate(operation, current)).toEqual({
    kind: 'resend',
    version: 7,
    base: { name: 'Data migration' },
    values: { name: 'Migration' },
  })
})

test('the same field changed: the user is asked, with all three values', () => {
  const operation = testOperation({ values: { amount: 62_700 }, base: { amount: 60_000 } })
  const row = testDeal({ version: 4, amount: 58_900 })
  const verdict = judgeUpdate(operation, row)
  expect(verdict).toEqual({
    kind: 'ask',
    conflicts: [{ field: 'amount', base: 60_000, mine: 62_700, theirs: 58_900 }],
    row,
  })
})

test('both made the same change: nothing is sent', () => {
  const operation = testOperation({ values: { amount: 5 }, base: { amount: 1 } })
  expect(judgeUpdate(operation, testDeal({ version: 9, amount: 5 }))).toEqual({ kind: 'done' })
})

test('the row was deleted: it stays deleted', () => {
  expect(judgeUpdate(testOperation({}), undefined)).toEqual({ kind: 'deleted' })
})

test('stage: the later move wins', () => {
  const operation = testOperation({ lastWriteStands: true, at: '2026-11-20T09:31:00+00:00' })
  const earlier = testDeal({ stage_id: 'won', version: 5, updated_at: '2026-11-20T09:30:00+00:00' })
  expect(judgeUpdate(operation, earlier)).toMatchObject({ kind: 'resend', version: 5, base: { stage_id: 'won' } })
  const later = testDeal({ stage_id: 'won', version: 5, updated_at: '2026-11-20T09:32:00+00:00' })
  expect(judgeUpdate(operation, later)).toEqual({ kind: 'overtaken' })
})

test('moments are equal with any offset; other texts are compared exactly', () => {
  expect(same('2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00+00:00')).toBe(true)
  expect(same('2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z')).toBe(false)
  expect(same(null, undefined)).toBe(true)
  expect(same('', null)).toBe(false)
  expect(same('1', 1)).toBe(false)
})
