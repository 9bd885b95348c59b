import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { acme, ana, bo, type LoneTab, openLoneTab, putRows, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import { openTwoTabs } from '#tests/harness/two-tabs.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { operationsSent } from '#web/data/changes/sender.ts'
import { reachable } from '#web/data/server/network.ts'
import { recordAnswer } from '#web/data/server/record-answer.ts'
import { renewals } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { addToQueue, queue } from '#web/data/store/queue.ts'
import { stopStoringRows } from '#web/data/store/store-rows.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { secondFactorRequired, brandLost, isLive, requestPull, startPulling } from './pull-schedule.ts'

const pullLine = 'POST /rest/v1/rpc/pull'
const pullResponse = (cursor = '1', parts = {}): PreparedResponse => ({
  body: { epoch: 'e', cursor, full: false, complete: true, rows: {}, tombstones: [], ...parts },
})
const session = { userId: ana, email: '', expired: false }
const pullCount = ({ network }: LoneTab) => network.of(pullLine).length

/** Stands for the window, which fires events of focus and network. `documentEvents` and `visibility` stand for the document. */
const windowEvents = new EventTarget()
const documentEvents = new EventTarget()
let visibility = 'visible'

beforeEach(() => {
  visibility = 'visible'
  for (const name of ['addEventListener', 'removeEventListener'] as const)
    vi.stubGlobal(name, windowEvents[name].bind(windowEvents))
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibility
    },
    addEventListener: documentEvents.addEventListener.bind(documentEvents),
    removeEventListener: documentEvents.removeEventListener.bind(documentEvents),
    hidden: true,
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function openTabWithAnswer(prepared: PreparedResponse = pullResponse()): Promise<LoneTab> {
  const tab = await openLoneTab()
  tab.network.on(pullLine, () => prepared)
  return tab
}

/** Advances the clock in steps of 500 ms, with time for requests after each. */
async function advance(tab: LoneTab, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 500) {
    tab.clock.advance(Math.min(left, 500))
    await untilIdle(40)
  }
}

describe('a pull', () => {
  test('a pull that is requested while another one runs follows it, once', async () => {
    const tab = await openTabWithAnswer()
    await Promise.all([requestPull(tab.device), requestPull(tab.device), requestPull(tab.device)])
    expect(pullCount(tab)).toBe(2)
    await requestPull(tab.device)
    expect(pullCount(tab)).toBe(3)
  })

  test('a pull is sent only with an unexpired session of the brand’s user, and after the stored rows have been read', async () => {
    const tab = await openTabWithAnswer()
    for (const otherSession of [null, { ...session, userId: bo }, { ...session, expired: true }]) {
      sessionState(tab.device).set({ ready: true, session: otherSession })
      await requestPull(tab.device)
    }
    sessionState(tab.device).set({ ready: true, session })
    tab.data.loaded.set(false)
    await requestPull(tab.device)
    tab.data.loaded.set(true)
    tab.data.close()
    await requestPull(tab.device)
    expect(pullCount(tab)).toBe(0)
  })

  test('a pull begins at the cursor that another tab has stored, unless this tab no longer stores rows', async () => {
    const tab = await openTabWithAnswer(pullResponse('9'))
    await localDatabase(tab.device, ana).putState({ ...tab.data.state.get(), cursor: '5' }, true)
    await requestPull(tab.device)
    await localDatabase(tab.device, ana).putState({ ...tab.data.state.get(), cursor: '2' }, true)
    stopStoringRows(tab.device, new Error('full'))
    await requestPull(tab.device)
    expect(tab.network.of(pullLine).map(({ body }) => (body as { p_cursor: string }).p_cursor)).toEqual(['5', '9'])
  })

  test('a pull goes on from its own cursor if the stored cursor cannot be read within 3 s', async () => {
    const tab = await openTabWithAnswer()
    vi.spyOn(localDatabase(tab.device, ana), 'getState').mockReturnValue(new Promise(() => {}))
    const pull = requestPull(tab.device)
    await untilIdle()
    await advance(tab, 2500)
    expect(pullCount(tab)).toBe(0)
    await advance(tab, 500)
    await pull
    expect(pullCount(tab)).toBe(1)
  })

  test('a pull sets `firstPullEnded` when it ends, even if no answer came', async () => {
    const tab = await openTabWithAnswer(null)
    tab.data.firstPullEnded.set(false)
    await requestPull(tab.device)
    expect(tab.data.firstPullEnded.get()).toBe(true)
  })

  test('a pull of a brand that is closed meanwhile logs no error', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const tab = await openTabWithAnswer()
    tab.data.state.set({ ...tab.data.state.get(), cursor: null })
    tab.network.on(pullLine, () => {
      if (pullCount(tab) > 1) tab.data.close()
      return pullResponse('7', { full: pullCount(tab) > 1, counts: {} })
    })
    await requestPull(tab.device)
    expect([pullCount(tab), log.mock.calls]).toEqual([2, []])
  })

  test('a pull that fails temporarily logs no error; a refusal and an invalid answer are logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await requestPull((await openTabWithAnswer(null)).device)
    await requestPull((await openTabWithAnswer(refusalResponse(503, 'PGRST002'))).device)
    expect(log).not.toHaveBeenCalled()
    await requestPull((await openTabWithAnswer(refusalResponse(400, '22023'))).device)
    await requestPull((await openTabWithAnswer({ body: {} })).device)
    expect(log.mock.calls.map(([message]) => message)).toEqual(Array(2).fill('The changes could not be fetched.'))
  })
})

describe('a pause that the server asks for', () => {
  const pauseFor = ({ device, clock }: LoneTab, seconds: number) =>
    recordAnswer(
      device,
      new Response(null, { status: 429, headers: { 'retry-after': `${seconds}` } }),
      clock.now(),
      true,
    )

  test('the pull waits for a pause that the server asks for, and one pull follows it', async () => {
    const tab = await openTabWithAnswer()
    pauseFor(tab, 5)
    await requestPull(tab.device)
    await requestPull(tab.device)
    await advance(tab, 4999)
    expect(pullCount(tab)).toBe(0)
    await advance(tab, 1)
    expect(pullCount(tab)).toBe(1)
  })

  test('a pause that the server asks for during a pull ends the pull, and another pull follows when the pause is over', async () => {
    const tab = await openTabWithAnswer()
    tab.network.on(pullLine, () => {
      if (pullCount(tab) === 1) pauseFor(tab, 5)
      return pullResponse('2', { complete: pullCount(tab) > 1 })
    })
    await requestPull(tab.device)
    expect(pullCount(tab)).toBe(1)
    await advance(tab, 5000)
    expect(pullCount(tab)).toBe(2)
    await advance(tab, 5000)
    expect(pullCount(tab)).toBe(2)
  })

  test('a pause that the server asks for is followed by no pull if the page is hidden', async () => {
    const tab = await openTabWithAnswer()
    pauseFor(tab, 5)
    await requestPull(tab.device)
    visibility = 'hidden'
    await advance(tab, 5000)
    expect(pullCount(tab)).toBe(0)
  })
})

describe('a page that is open', () => {
  async function openPullingTab(): Promise<LoneTab & { stop: () => void; countPulls: () => Promise<number> }> {
    const tab = await openTabWithAnswer()
    const stop = startPulling(tab.device)
    const countPulls = async () => {
      await untilIdle(60)
      return tab.network.sent.splice(0).length
    }
    expect(await countPulls()).toBe(1)
    return { ...tab, stop, countPulls }
  }

  test('a page that is open pulls every four seconds; with live changes every thirty', async () => {
    const tab = await openPullingTab()
    await advance(tab, 12_000)
    expect(await tab.countPulls()).toBe(3)
    isLive(tab.device).set(true)
    await advance(tab, 26_000)
    expect(await tab.countPulls()).toBe(0)
    await advance(tab, 4000)
    expect(await tab.countPulls()).toBe(1)
    tab.stop()
  })

  test('a page that is open pulls every four seconds, also if its timer runs a few milliseconds late', async () => {
    const tab = await openPullingTab()
    for (let run = 0; run < 6; run++) {
      tab.clock.jump(3)
      await advance(tab, 2000)
    }
    expect(await tab.countPulls()).toBe(3)
    tab.stop()
  })

  test('a page that is open pulls every two seconds while the server cannot be reached', async () => {
    const tab = await openPullingTab()
    tab.network.on(pullLine, () => null)
    isLive(tab.device).set(true)
    reachable(tab.device).set(false)
    await advance(tab, 6000)
    expect(await tab.countPulls()).toBe(3)
    tab.stop()
  })

  test('a page that is open pulls after the clock was set back', async () => {
    const tab = await openPullingTab()
    isLive(tab.device).set(true)
    tab.clock.jump(-3_600_000)
    await advance(tab, 2000)
    expect(await tab.countPulls()).toBe(1)
    await advance(tab, 26_000)
    expect(await tab.countPulls()).toBe(0)
    tab.stop()
  })

  test('a page that is open pulls on focus, when it is shown again, when the network is back, after a session renewal, and after own edits were sent', async () => {
    const tab = await openPullingTab()
    const triggers: (() => unknown)[] = [
      () => windowEvents.dispatchEvent(new Event('focus')),
      () => windowEvents.dispatchEvent(new Event('online')),
      () => windowEvents.dispatchEvent(new Event('pageshow')),
      () => documentEvents.dispatchEvent(new Event('visibilitychange')),
      () => renewals(tab.device).set(renewals(tab.device).get() + 1),
      () => operationsSent(tab.device).emit(),
      () => reachable(tab.device).set(!reachable(tab.device).get()) ?? reachable(tab.device).set(true),
    ]
    for (const trigger of triggers) {
      trigger()
      expect(await tab.countPulls()).toBe(1)
    }
    reachable(tab.device).set(false)
    expect(await tab.countPulls()).toBe(0)
    tab.stop()
    for (const trigger of triggers) trigger()
    tab.clock.advance(60_000)
    expect(await tab.countPulls()).toBe(0)
  })

  test('a page that is open pulls nothing while it is hidden', async () => {
    const tab = await openPullingTab()
    visibility = 'hidden'
    windowEvents.dispatchEvent(new Event('focus'))
    documentEvents.dispatchEvent(new Event('visibilitychange'))
    await advance(tab, 8000)
    expect(await tab.countPulls()).toBe(0)
    tab.stop()
  })
})

describe('a person who is no longer a member', () => {
  const notMemberResponse = refusalResponse(403, 'P0001', 'NOT_AUTHORIZED')

  function receivedIn({ device }: LoneTab) {
    const received: unknown[] = []
    brandLost(device).subscribe((lost) => received.push(lost))
    secondFactorRequired(device).subscribe((closed) => received.push(closed))
    return received
  }

  test('a wipe that the disk refuses is tried again after the next pull', async () => {
    const tab = await openTabWithAnswer(notMemberResponse)
    const received = receivedIn(tab)
    const deleteBrandSpy = vi.spyOn(localDatabase(tab.device, ana), 'deleteBrand').mockRejectedValue(new Error('disk'))
    await requestPull(tab.device)
    expect(deleteBrandSpy).toHaveBeenCalled()
    expect(received).toEqual([])
    deleteBrandSpy.mockRestore()
    await requestPull(tab.device)
    expect(received).toEqual([{ brandId: acme, unsent: 0 }])
  })

  test('a wipe that the disk refuses again counts as done, so that the person learns about the removal from the brand', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const tab = await openTabWithAnswer(notMemberResponse)
    const received = receivedIn(tab)
    await addToQueue(tab.device, testOperation({ id: 'a', userId: ana, brandId: acme, rowId: 'roof', state: 'failed' }))
    vi.spyOn(localDatabase(tab.device, ana), 'deleteBrand').mockRejectedValue(new Error('disk'))
    await requestPull(tab.device)
    await requestPull(tab.device)
    expect(received).toEqual([{ brandId: acme, unsent: 1 }])
    expect(warn).toHaveBeenCalledWith('Lost brands could not be wiped.', new Error('disk'))
  })

  test('a person who is no longer a member keeps no data of the brand in any tab, and learns how many edits were not sent', async () => {
    const { first, second } = await openTwoTabs()
    const [received, receivedInSecond] = [receivedIn(first), receivedIn(second)]
    for (const tab of [first, second]) putRows(tab.data, 'deals', { id: 'roof' })
    await localDatabase(first.device, ana).putNewer('deals', acme, [serverRow({ id: 'roof' })], () => true)
    const operation = { userId: ana, brandId: acme, rowId: 'roof' } as const
    await addToQueue(first.device, testOperation({ ...operation, id: 'a' }))
    await addToQueue(first.device, testOperation({ ...operation, id: 'b', state: 'failed' }))
    await addToQueue(first.device, testOperation({ ...operation, id: 'c', brandId: 'other' }))
    const stop = startPulling(second.device)
    await untilIdle()
    first.network.on(pullLine, () => notMemberResponse)
    await requestPull(first.device)
    await untilIdle()
    expect(received).toEqual([{ brandId: acme, unsent: 2 }])
    expect(receivedInSecond).toEqual([{ brandId: acme, unsent: 0 }])
    expect(
      queue(first.device)
        .get()
        .operations.map(({ id }) => id),
    ).toEqual(['c'])
    for (const { data } of [first, second]) expect([data.tables.deals.size, data.state.get().cursor]).toEqual([0, null])
    expect(await localDatabase(first.device, ana).getRows('deals', acme, ['roof'])).toEqual([undefined])
    stop()
  })

  test('a person who is no longer a member of another brand loses no data of the open brand', async () => {
    const { first, second } = await openTwoTabs()
    putRows(first.data, 'deals', { id: 'roof' })
    const received = receivedIn(first)
    const stop = startPulling(first.device)
    postToTabs(second.device, { type: 'brand-lost', userId: ana, brandId: 'other' })
    postToTabs(second.device, { type: 'brand-state', userId: ana, brandId: acme })
    await untilIdle()
    expect([received, first.data.tables.deals.size]).toEqual([[], 1])
    stop()
    postToTabs(second.device, { type: 'brand-lost', userId: ana, brandId: acme })
    expect(received).toEqual([])
  })

  test('a person is not treated as a former member because of a refusal that another user got', async () => {
    const tab = await openTabWithAnswer()
    const received = receivedIn(tab)
    putRows(tab.data, 'deals', { id: 'roof' })
    tab.network.on(pullLine, () => {
      sessionState(tab.device).set({ ready: true, session: { ...session, userId: bo } })
      return notMemberResponse
    })
    await requestPull(tab.device)
    expect([received, tab.data.tables.deals.size]).toEqual([[], 1])
  })

  test('a person who has to prove a second factor first, or who is refused for another reason, is not treated as a former member', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const tab = await openTabWithAnswer(refusalResponse(400, 'BY003', 'SECOND_FACTOR_REQUIRED'))
    const received = receivedIn(tab)
    putRows(tab.data, 'deals', { id: 'roof' })
    await requestPull(tab.device)
    expect(received).toEqual([acme])
    tab.network.on(pullLine, () => refusalResponse(400, 'P0001', 'USER_NOT_FOUND'))
    await requestPull(tab.device)
    expect([received, tab.data.tables.deals.size, log.mock.calls.length]).toEqual([[acme], 1, 1])
  })
})
