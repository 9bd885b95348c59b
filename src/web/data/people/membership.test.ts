import { expect, test } from 'vitest'
import { membershipRow, storedMembership } from './membership.ts'

const acme = { brandId: 'b-1', name: 'Acme', slug: 'acme', role: 'admin' }
const row = {
  user_id: 'ana',
  role: 'admin',
  opened_at: '2026-11-20T09:00:00Z',
  brand: { id: 'b-1', name: 'Acme', slug: 'acme' },
}

test('a server row is read as a membership, which is unopened if `opened_at` is null', () => {
  expect(membershipRow(row)).toEqual([{ mine: acme, isUnopened: false }])
  expect(membershipRow({ ...row, opened_at: null })).toEqual([{ mine: acme, isUnopened: true }])
})

test('on a backend that does not record openings, every brand counts as opened', () => {
  expect(membershipRow({ ...row, opened_at: undefined })).toEqual([{ mine: acme, isUnopened: false }])
})

test('a row without a visible brand, or with an unknown role, is not a membership', () => {
  expect(membershipRow({ ...row, brand: null })).toEqual([])
  expect(membershipRow({ ...row, role: 'guest' })).toEqual([])
  expect(storedMembership({ ...acme, role: 'guest' })).toEqual([])
})

test('a membership that was stored is read unchanged', () => {
  const added = { ...acme, added: { by: 'Bo' } }
  for (const mine of [acme, added, { ...acme, added: { by: null } }])
    expect(storedMembership(JSON.parse(JSON.stringify(mine)))).toEqual([mine])
})
