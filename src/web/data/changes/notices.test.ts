import { expect, test, vi } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import type { Notice } from './notice.ts'
import { prepareNotices, subscribeToNotices } from './notices.ts'
import { awaitOutcome } from './outcomes.ts'
import type { SendResult } from './send-result.ts'

const editedAt = '2026-11-20T09:30:00.000+00:00'
const operation = (parts: Partial<Operation> = {}) =>
  testOperation({ userId: ana, brandId: acme, id: 'op', rowId: 'roof', at: editedAt, ...parts })
const refused: SendResult = { kind: 'refused', message: 'Too large', code: null }

function receivedIn({ device }: LoneTab): Notice[] {
  const received: Notice[] = []
  subscribeToNotices(device, (notice) => received.push(notice))
  return received
}

test('a refusal that no screen waits for causes a notice after it is settled', async () => {
  const tab = await openLoneTab()
  const received = receivedIn(tab)
  const emitNotices = prepareNotices(tab.device, operation(), refused)
  await untilIdle()
  expect(received).toEqual([])
  emitNotices()
  await vi.waitFor(() => expect(received).toMatchObject([{ text: 'Error moving deal', detail: 'Too large' }]))
})

test('a refusal causes no notice while a screen waits for it: in this tab, or in another one for three seconds after the edit', async () => {
  const tab = await openLoneTab()
  const received = receivedIn(tab)
  void awaitOutcome(tab.device, 'op', 3000)
  prepareNotices(tab.device, operation(), refused)()
  prepareNotices(tab.device, operation({ id: 'elsewhere', awaited: true }), refused)()
  tab.clock.advance(2999)
  prepareNotices(tab.device, operation({ id: 'elsewhere', awaited: true }), refused)()
  await untilIdle()
  expect(received).toEqual([])
  tab.clock.advance(1)
  prepareNotices(tab.device, operation({ id: 'elsewhere', awaited: true }), refused)()
  await vi.waitFor(() => expect(received).toHaveLength(1))
})

test('an edit that was applied as it was made causes no notice', async () => {
  const tab = await openLoneTab()
  const received = receivedIn(tab)
  const row = serverRow({ id: 'slate', name: 'Slate' })
  const added = operation({ kind: 'call', table: 'companies', rowId: 'slate' })
  prepareNotices(tab.device, added, { kind: 'settled', rowId: 'slate', row, overtakenBy: null })()
  await untilIdle()
  expect(received).toEqual([])
  prepareNotices(tab.device, added, { kind: 'settled', rowId: 'slate', row, overtakenBy: row })()
  await vi.waitFor(() => expect(received.map(({ kind }) => kind)).toEqual(['overtaken']))
  prepareNotices(tab.device, { ...added, rowId: 'new' }, { kind: 'settled', rowId: 'slate', row, overtakenBy: null })()
  await vi.waitFor(() => expect(received.map(({ kind }) => kind)).toEqual(['overtaken', 'merged']))
})
