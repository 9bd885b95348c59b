import { describe, expect, test, vi } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { prepareNotices } from '#web/data/changes/notices.ts'
import { reachable } from '#web/data/server/network.ts'
import { knownUserKey } from '#web/data/server/session-token.ts'
import { sessionState } from '#web/data/session/session.ts'
import { addToQueue, closeQueue, openQueue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { sendUnsent } from './send-unsent.ts'
import { countUnsent, onNotice, syncStatus } from './sync-status.ts'

const operation = (id: string, state: 'waiting' | 'failed' = 'waiting') =>
  testOperation({ userId: ana, brandId: acme, id, state, rowId: id })
const status = ({ device }: LoneTab) => syncStatus(device).get()
const session = { userId: ana, email: 'ana@acme.test', expired: false }

describe('the badge', () => {
  test('the badge shows that all changes are saved, and shows a new edit as sending after half a second', async () => {
    const tab = await openLoneTab()
    expect(status(tab)).toEqual({ state: 'saved', count: 0 })
    await addToQueue(tab.device, operation('a'))
    expect(status(tab)?.state).toBe('saved')
    tab.clock.advance(400)
    await addToQueue(tab.device, operation('b'))
    expect(status(tab)?.state).toBe('saved')
    tab.clock.advance(101)
    expect(status(tab)).toEqual({ state: 'sending', count: 2 })
    await updateQueue(tab.device, ana, ['a'], [])
    expect(status(tab)).toEqual({ state: 'sending', count: 1 })
    await updateQueue(tab.device, ana, ['b'], [])
    expect(status(tab)).toEqual({ state: 'saved', count: 0 })
  })

  test('the badge shows "sending" as soon as half a second is over, even if another edit follows', async () => {
    const tab = await openLoneTab()
    expect(status(tab)?.state).toBe('saved')
    await addToQueue(tab.device, operation('a'))
    tab.clock.advance(500)
    expect(status(tab)?.state).toBe('saved')
    await addToQueue(tab.device, operation('b'))
    expect(status(tab)?.state).toBe('sending')
  })

  test('the badge shows "sending" after half a second, even if the clock is set back meanwhile', async () => {
    const tab = await openLoneTab()
    expect(status(tab)?.state).toBe('saved')
    await addToQueue(tab.device, operation('a'))
    tab.clock.jump(-3_600_000)
    await addToQueue(tab.device, operation('b'))
    tab.clock.advance(501)
    expect(status(tab)?.state).toBe('sending')
  })

  test('the badge does not show an edit that is sent within half a second; the half second starts again with the next edit', async () => {
    const tab = await openLoneTab()
    const shownStatuses: unknown[] = []
    syncStatus(tab.device).subscribe(() => shownStatuses.push(status(tab)))
    await addToQueue(tab.device, operation('a'))
    tab.clock.advance(300)
    await updateQueue(tab.device, ana, ['a'], [])
    await addToQueue(tab.device, operation('b'))
    tab.clock.advance(300)
    await updateQueue(tab.device, ana, ['b'], [])
    tab.clock.advance(1000)
    expect(shownStatuses).toEqual([])
  })

  test('the badge is empty until the queue is read, and then counts the edits that waited while the page was closed', async () => {
    const tab = await openLoneTab()
    await addToQueue(tab.device, operation('a'))
    closeQueue(tab.device)
    expect(status(tab)).toBeNull()
    await openQueue(tab.device, ana)
    expect(status(tab)).toEqual({ state: 'sending', count: 1 })
  })

  test('the badge shows "offline" with the number of waiting edits, and "sending" at once when the server is back', async () => {
    const tab = await openLoneTab()
    expect(status(tab)).toEqual({ state: 'saved', count: 0 })
    reachable(tab.device).set(false)
    expect(status(tab)).toEqual({ state: 'offline', count: 0 })
    await addToQueue(tab.device, operation('a'))
    expect(status(tab)).toEqual({ state: 'offline', count: 1 })
    reachable(tab.device).set(true)
    expect(status(tab)).toEqual({ state: 'sending', count: 1 })
  })

  test('the badge shows edits that need attention before anything else, with the number of waiting edits', async () => {
    const tab = await openLoneTab()
    expect(status(tab)?.state).toBe('saved')
    await addToQueue(tab.device, operation('a'))
    await addToQueue(tab.device, operation('b', 'failed'))
    reachable(tab.device).set(false)
    await addToQueue(tab.device, operation('c'))
    expect(status(tab)).toEqual({ state: 'attention', count: 2 })
    await updateQueue(tab.device, ana, ['b'], [])
    expect(status(tab)).toEqual({ state: 'offline', count: 2 })
  })

  test('the badge asks the user to sign in if the session has ended, or has run out and cannot be renewed', async () => {
    const tab = await openLoneTab()
    await addToQueue(tab.device, operation('a'))
    expect(status(tab)?.state).toBe('sending')
    sessionState(tab.device).set({ ready: true, session: { ...session, expired: true } })
    expect(status(tab)).toEqual({ state: 'sign-in', count: 1 })
    sessionState(tab.device).set({ ready: true, session: { ...session, ranOut: true } })
    expect(status(tab)?.state).toBe('sending')
    reachable(tab.device).set(false)
    expect(status(tab)?.state).toBe('sign-in')
    sessionState(tab.device).set({ ready: true, session: null })
    expect(status(tab)?.state).toBe('offline')
  })
})

test('a notice is passed to the listeners of `onNotice` until they unsubscribe', async () => {
  const { device } = await openLoneTab()
  const receivedTexts: string[] = []
  const stop = onNotice(device, ({ text }) => receivedTexts.push(text))
  prepareNotices(device, operation('a'), { kind: 'refused', message: 'no', code: null })()
  await vi.waitFor(() => expect(receivedTexts).toEqual(['Error moving deal']))
  stop()
  prepareNotices(device, operation('a'), { kind: 'refused', message: 'no', code: null })()
  await untilIdle()
  expect(receivedTexts).toEqual(['Error moving deal'])
})

describe('before a sign-out', () => {
  async function openSignedIn(): Promise<LoneTab> {
    const tab = await openLoneTab()
    await keyValueStore(tab.device).set(knownUserKey, JSON.stringify({ userId: ana, email: 'ana@acme.test' }))
    await addToQueue(tab.device, operation('a'))
    await addToQueue(tab.device, operation('b', 'failed'))
    return tab
  }

  test('unsent edits are counted before a sign-out, including those that need attention', async () => {
    const tab = await openSignedIn()
    expect(await countUnsent(tab.device)).toBe(2)
  })

  test('waiting edits are sent before a sign-out, and the number of the others is returned', async () => {
    const tab = await openSignedIn()
    tab.network.on('PATCH /rest/v1/deals', () => ({ body: [serverRow({ id: 'a' })] }))
    closeQueue(tab.device)
    expect(await sendUnsent(tab.device)).toBe(1)
  })

  test('the wait for sending before a sign-out ends after ten seconds', async () => {
    const tab = await openSignedIn()
    tab.network.on('PATCH /rest/v1/deals', () => new Promise(() => {}))
    let leftCount: number | null = null
    void sendUnsent(tab.device).then((count) => {
      leftCount = count
    })
    await untilIdle()
    tab.clock.advance(9999)
    await untilIdle()
    expect(leftCount).toBeNull()
    tab.clock.advance(1)
    await untilIdle()
    expect(leftCount).toBe(2)
  })

  test('without a session, no unsent edits are counted or sent', async () => {
    const tab = await openSignedIn()
    sessionState(tab.device).set({ ready: true, session: null })
    expect([await countUnsent(tab.device), await sendUnsent(tab.device)]).toEqual([0, 0])
    expect(tab.network.of('PATCH /rest/v1/deals')).toEqual([])
  })
})
