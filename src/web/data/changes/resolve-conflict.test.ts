import { describe, expect, test } from 'vitest'
import { bo } from '#tests/harness/lone-tab.ts'
import { openWithOperations, queuedIn } from '#tests/harness/queued-operations.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { resolveConflict } from './resolve-conflict.ts'

const updateRequest = 'PATCH /rest/v1/deals'

describe('a decision about a conflict', () => {
  const conflicting: Partial<Operation> = {
    state: 'conflict',
    values: { name: 'Mine', amount: 5, owner_id: 'me' },
    preview: { name: 'Mine', amount: 5, owner_id: 'me' },
    base: { name: 'Roof', amount: 1, owner_id: null },
    conflicts: [
      { field: 'name', base: 'Roof', mine: 'Mine', theirs: 'Theirs' },
      { field: 'amount', base: 1, mine: 5, theirs: 9 },
    ],
    version: 6,
    reason: 'x',
    theirsAt: '2026-11-20T09:00:00Z',
    theirsBy: bo,
  }
  const decided = {
    state: 'waiting',
    conflicts: [],
    reason: null,
    theirsAt: null,
    theirsBy: null,
    version: 6,
    id: 'op 0',
  }

  test('a decision about the amount that an older version of the app has asked about applies to the currency, too', async () => {
    const values = { amount: 1200, amount_currency: 'EUR', name: 'Mine' }
    const asked = [{ field: 'amount', base: 1000, mine: 1200, theirs: 1150 }]
    const tab = await openWithOperations({ ...conflicting, values, preview: values, conflicts: asked })
    await resolveConflict(tab.device, 'op 0', 'theirs')
    expect(queuedIn(tab)[0]?.values).toEqual({ name: 'Mine' })
  })

  test('a decision for "mine" overwrites all values of the colleague', async () => {
    const tab = await openWithOperations(conflicting)
    await resolveConflict(tab.device, 'op 0', 'mine')
    expect(queuedIn(tab)).toMatchObject([
      {
        ...decided,
        values: { name: 'Mine', amount: 5, owner_id: 'me' },
        base: { name: 'Theirs', amount: 9, owner_id: null },
      },
    ])
    expect(tab.network.lines).toEqual([updateRequest])
  })

  test('a decision for "theirs" drops the fields in conflict, and sends the others', async () => {
    const tab = await openWithOperations(conflicting)
    await resolveConflict(tab.device, 'op 0', 'theirs')
    expect(queuedIn(tab)).toMatchObject([decided])
    expect(queuedIn(tab)[0]).toMatchObject({ values: { owner_id: 'me' }, base: { owner_id: null } })
    expect(queuedIn(tab)[0]?.values).toEqual({ owner_id: 'me' })
    expect(queuedIn(tab)[0]?.preview).toEqual({ owner_id: 'me' })
    expect(queuedIn(tab)[0]?.base).toEqual({ owner_id: null })
  })

  test('a decision about a conflict can differ by field; the default is "mine"', async () => {
    const tab = await openWithOperations(conflicting)
    await resolveConflict(tab.device, 'op 0', { name: 'theirs' })
    expect(queuedIn(tab)[0]?.values).toEqual({ amount: 5, owner_id: 'me' })
    expect(queuedIn(tab)[0]?.base).toEqual({ amount: 9, owner_id: null })
  })

  test('a decision for "theirs" drops the edit if nothing else was edited', async () => {
    const tab = await openWithOperations({ ...conflicting, values: { name: 'Mine' }, preview: { name: 'Mine' } })
    await resolveConflict(tab.device, 'op 0', 'theirs')
    expect(queuedIn(tab)).toEqual([])
    expect(tab.network.sent).toEqual([])
  })

  test('a decision about a conflict rebases only later edits of a dropped field', async () => {
    const tab = await openWithOperations(
      conflicting,
      { values: { name: 'Again' }, base: { name: 'Mine' }, version: 3 },
      { values: { amount: 6 }, base: { amount: 5 }, version: 3 },
    )
    await resolveConflict(tab.device, 'op 0', { name: 'theirs' })
    expect(queuedIn(tab)).toMatchObject([
      { id: 'op 0' },
      { id: 'op 1', version: 0, base: { name: 'Roof' } },
      { id: 'op 2', version: 3, base: { amount: 5 } },
    ])
  })

  test('a decision about a conflict that comes too late does nothing', async () => {
    const tab = await openWithOperations()
    await resolveConflict(tab.device, 'op 0', 'mine')
    expect(tab.network.sent).toEqual([])
  })

  test('a decision about an amount also applies to its currency', async () => {
    const amount = { amount: 1200, amount_currency: 'GBP' }
    const both: Partial<Operation> = {
      ...conflicting,
      values: { name: 'Mine', ...amount },
      preview: { name: 'Mine', ...amount },
      base: { name: 'Roof', amount: 1000, amount_currency: 'GBP' },
      conflicts: [
        { field: 'amount', base: 1000, mine: 1200, theirs: 1150 },
        { field: 'amount_currency', base: 'GBP', mine: 'GBP', theirs: 'EUR' },
      ],
    }
    const dropped = await openWithOperations(both)
    await resolveConflict(dropped.device, 'op 0', { amount: 'theirs' })
    expect(queuedIn(dropped)[0]?.values).toEqual({ name: 'Mine' })
    const kept = await openWithOperations(both)
    await resolveConflict(kept.device, 'op 0', { amount: 'mine' })
    expect(queuedIn(kept)).toMatchObject([{ values: amount, base: { amount: 1150, amount_currency: 'EUR' } }])
  })
})
