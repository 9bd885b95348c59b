import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { openTwoTabs } from '#tests/harness/two-tabs.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { awaitOutcome, isAwaited, resolveOutcome } from './outcomes.ts'

const saved = { status: 'saved', id: 'roof' } as const

test('a screen waits at most three seconds for the outcome of its operation', async () => {
  const { device, clock } = await openLoneTab()
  const outcome = awaitOutcome(device, 'op', 3000)
  clock.advance(2999)
  expect(isAwaited(device, 'op')).toBe(true)
  clock.advance(1)
  expect(await outcome).toBeNull()
  expect(isAwaited(device, 'op')).toBe(false)
  resolveOutcome(device, 'op', saved)
})

test('an outcome ends only the wait for its own operation', async () => {
  const { device } = await openLoneTab()
  const outcome = awaitOutcome(device, 'op', 3000)
  resolveOutcome(device, 'another', saved)
  expect(isAwaited(device, 'op')).toBe(true)
  resolveOutcome(device, 'op', saved)
  expect(await outcome).toEqual(saved)
  expect(isAwaited(device, 'op')).toBe(false)
})

test('a screen learns the outcome of its operation also if another tab sends it', async () => {
  const { first, second } = await openTwoTabs()
  const outcome = awaitOutcome(first.device, 'op', 3000)
  postToTabs(second.device, { type: 'operations', userId: 'ana' })
  postToTabs(second.device, { type: 'settled', userId: 'ana', operationId: 'op', outcome: saved })
  expect(await outcome).toEqual(saved)
})
