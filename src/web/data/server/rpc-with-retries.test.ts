import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { rpcWithRetries, type WaitReason } from './rpc-with-retries.ts'

const line = 'POST /rest/v1/rpc/begin_import'

/** Opens a tab and calls `begin_import` with retries. */
async function callWithRetries(signal: AbortSignal) {
  const { device, clock, network } = await openLoneTab()
  const reasons: (WaitReason | null)[] = []
  const call = () =>
    rpcWithRetries(device, '', 'begin_import', {}, { signal, onWaiting: (reason) => reasons.push(reason) })
  return { clock, network, reasons, call }
}

test('a call is sent again after temporary errors, and no listener of the signal remains', async () => {
  const { signal } = new AbortController()
  const { clock, network, reasons, call } = await callWithRetries(signal)
  const busy = { status: 503, body: { message: 'busy' } }
  network.onEach(line, busy, busy, { body: 'begun' })
  const answer = call()
  for (const count of [1, 2]) {
    await expect.poll(() => getEventListeners(signal, 'abort').length).toBe(1)
    expect(network.of(line)).toHaveLength(count)
    clock.advance(5000)
  }
  expect(await answer).toBe('begun')
  expect(reasons).toEqual(['busy', 'busy', null])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an abort ends the pause before the next attempt, and the call rejects with the last error', async () => {
  const controller = new AbortController()
  const { network, call } = await callWithRetries(controller.signal)
  network.on(line, () => ({ status: 503, body: { message: 'busy' } }))
  const answer = call()
  await expect.poll(() => getEventListeners(controller.signal, 'abort').length).toBe(1)
  controller.abort()
  await expect(answer).rejects.toMatchObject({ status: 503 })
  expect(network.of(line)).toHaveLength(1)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})
