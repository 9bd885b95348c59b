import { afterEach, describe, expect, test, vi } from 'vitest'
import { acme, ana, bo, type LoneTab, openLoneTab, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import { openTwoTabs } from '#tests/harness/two-tabs.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'
import { renewals } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { outboxDatabase } from '#web/data/store/outbox-db.ts'
import { addToQueue, queue, readOperations } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { wasUnreachableSince } from './was-unreachable-since.ts'
import { subscribeToNotices } from './notices.ts'
import { operationsSent, sendWaiting, startSending } from './sender.ts'

const updateRequest = 'PATCH /rest/v1/deals'
const saved: PreparedResponse = { body: [serverRow({ id: 'roof', version: 4 })] }
const busy: PreparedResponse = { ...refusalResponse(503, 'PGRST002'), headers: { 'retry-after': '20' } }

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function openWith(...operations: Partial<Operation>[]): Promise<LoneTab> {
  // With this value the random part of each delay is 0.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const tab = await openLoneTab()
  for (const [index, parts] of operations.entries()) await addToQueue(tab.device, operationOf(index, parts))
  return tab
}

const operationOf = (index: number, parts: Partial<Operation>) =>
  testOperation({ userId: ana, brandId: acme, id: `op ${index}`, rowId: 'roof', values: { name: 'x' }, ...parts })

const keysIn = ({ network }: LoneTab) => network.sent.map(({ headers }) => headers.get('idempotency-key'))
const queuedIdsIn = ({ device }: LoneTab) =>
  queue(device)
    .get()
    .operations.map(({ id }) => id)

async function pass({ clock }: LoneTab, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await untilIdle()
}

describe('the outbox', () => {
  test('the outbox is sent in order, each operation once, and emits an event at the end', async () => {
    const tab = await openWith({}, { rowId: 'wall' }, { state: 'failed', rowId: 'door' }, { rowId: 'gate' })
    let emitted = 0
    operationsSent(tab.device).subscribe(() => (emitted += 1))
    tab.network.on(updateRequest, ({ filters }) => ({ body: [serverRow({ id: filters.id?.slice(3) ?? '' })] }))
    await sendWaiting(tab.device)
    expect(keysIn(tab)).toEqual(['op 0', 'op 1', 'op 3'])
    expect(queuedIdsIn(tab)).toEqual(['op 2'])
    expect(emitted).toBe(1)
    await sendWaiting(tab.device)
    expect([tab.network.sent.length, emitted]).toEqual([3, 1])
  })

  test('the outbox shows the notice about a refused operation only after the refusal is stored', async () => {
    const tab = await openWith({})
    const received: (number | string)[] = []
    subscribeToNotices(tab.device, ({ text }) => received.push(text, queuedIdsIn(tab).length))
    tab.network.on(updateRequest, () => refusalResponse(400, '23514'))
    await sendWaiting(tab.device)
    await vi.waitFor(() => expect(received).toEqual(['Error updating deal', 1]))
  })

  test('the outbox is sent by the first caller, including operations that are added meanwhile', async () => {
    const tab = await openWith({})
    tab.network.on(updateRequest, async () => {
      if (tab.network.sent.length === 1) await addToQueue(tab.device, operationOf(1, { rowId: 'wall' }))
      return saved
    })
    await Promise.all([sendWaiting(tab.device), sendWaiting(tab.device), sendWaiting(tab.device)])
    expect(keysIn(tab)).toEqual(['op 0', 'op 1'])
  })

  test('the outbox is read again if another tab has removed an operation and was closed before it announced this', async () => {
    const tab = await openWith({}, { rowId: 'wall' })
    await outboxDatabase(tab.device, ana).update(['op 0', 'op 1'], [])
    expect(queuedIdsIn(tab)).toEqual(['op 0', 'op 1'])
    await sendWaiting(tab.device)
    expect([queuedIdsIn(tab), tab.network.sent]).toEqual([[], []])
  })

  test('an operation is in the outbox once, also if the outbox is read while it is being stored', async () => {
    const tab = await openWith()
    const database = outboxDatabase(tab.device, ana)
    const add = database.add.bind(database)
    vi.spyOn(database, 'add').mockImplementation(async (row) => {
      const seq = await add(row)
      await readOperations(tab.device, ana)
      return seq
    })
    await addToQueue(tab.device, operationOf(0, {}))
    expect(queuedIdsIn(tab)).toEqual(['op 0'])
  })

  test('the outbox waits for a session if there is none, or if it has ended', async () => {
    const tab = await openWith({})
    const { session } = sessionState(tab.device).get()
    if (!session) throw new Error('no session')
    sessionState(tab.device).set({ ready: true, session: { ...session, expired: true } })
    await sendWaiting(tab.device)
    sessionState(tab.device).set({ ready: true, session: null })
    await sendWaiting(tab.device)
    expect(tab.network.sent).toEqual([])
  })

  test('the outbox stops between two operations when another person signs in, or the session ends', async () => {
    for (const session of [
      null,
      { userId: bo, email: '', expired: false },
      { userId: ana, email: '', expired: true },
    ]) {
      const tab = await openWith({}, { rowId: 'wall' })
      tab.network.on(updateRequest, () => {
        sessionState(tab.device).set({ ready: true, session })
        return saved
      })
      vi.spyOn(console, 'error').mockImplementation(() => {})
      await sendWaiting(tab.device)
      expect(keysIn(tab)).toEqual(['op 0'])
    }
  })
})

describe('without an answer', () => {
  test('an operation without an answer is sent again with its key after 1, 2, 4, 8, 16 and 30 seconds, and then every 30 seconds', async () => {
    const tab = await openWith({})
    await sendWaiting(tab.device)
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await pass(tab, seconds * 1000 - 1)
      expect(tab.network.sent).toHaveLength(index + 1)
      await pass(tab, 1)
      expect(tab.network.sent).toHaveLength(index + 2)
    }
    expect(new Set(keysIn(tab))).toEqual(new Set(['op 0']))
  })

  test('the delay before sending again is the shortest one again after an answer', async () => {
    const tab = await openWith({}, { rowId: 'wall' })
    tab.network.onEach(updateRequest, null, null, saved, null)
    await sendWaiting(tab.device)
    await pass(tab, 1000)
    await pass(tab, 2000)
    expect(queuedIdsIn(tab)).toEqual(['op 1'])
    await pass(tab, 999)
    expect(tab.network.sent).toHaveLength(4)
    await pass(tab, 1)
    expect(tab.network.sent).toHaveLength(5)
  })

  test('the delay before sending again varies between 75 % and 125 %, so that many browsers do not send at the same moment', async () => {
    for (const [random, delay] of [
      [0, 750],
      [1, 1250],
    ] as const) {
      const tab = await openWith({})
      vi.spyOn(Math, 'random').mockReturnValue(random)
      await sendWaiting(tab.device)
      await pass(tab, delay - 1)
      expect(tab.network.sent).toHaveLength(1)
      await pass(tab, 1)
      expect(tab.network.sent).toHaveLength(2)
    }
  })

  test('only one timer for sending again runs, however many attempts were made', async () => {
    const tab = await openWith({})
    await sendWaiting(tab.device)
    await sendWaiting(tab.device)
    await pass(tab, 1999)
    expect(tab.network.sent).toHaveLength(2)
    await pass(tab, 1)
    expect(tab.network.sent).toHaveLength(3)
  })
})

describe('a pause that the server asks for', () => {
  test('nothing is sent during a pause that the server asks for, and the lock is kept until the other tabs know about the pause', async () => {
    const tab = await openWith({}, { rowId: 'wall' })
    tab.network.onEach(updateRequest, busy, saved)
    let isOver = false
    const sending = sendWaiting(tab.device).then(() => {
      isOver = true
    })
    await untilIdle()
    await pass(tab, 99)
    expect(isOver).toBe(false)
    await pass(tab, 1)
    await sending
    // During the pause nothing is sent.
    await sendWaiting(tab.device)
    expect(tab.network.sent).toHaveLength(1)
    await pass(tab, 19_899)
    expect(tab.network.sent).toHaveLength(1)
    await pass(tab, 1)
    expect(keysIn(tab)).toEqual(['op 0', 'op 0', 'op 1'])
  })
})

describe('after a pause that the server has asked another tab for', () => {
  test('the waiting operations are sent after a pause that the server has asked another tab for', async () => {
    const { first, second } = await openTwoTabs()
    first.network.on(updateRequest, () => saved)
    expect(reachable(first.device).get()).toBe(true)
    await addToQueue(first.device, operationOf(0, {}))
    postToTabs(second.device, { type: 'pause', until: first.clock.now() + 20_000 })
    await sendWaiting(first.device)
    expect(first.network.sent).toEqual([])
    await pass(first, 19_999)
    expect(first.network.sent).toEqual([])
    await pass(first, 1)
    expect(keysIn(first)).toEqual(['op 0'])
  })
})

describe('after a 401', () => {
  test('an operation waits after a status 401, and a new token is requested', async () => {
    const tab = await openWith({})
    tab.network.on(updateRequest, () => refusalResponse(401, 'PGRST301', 'expired'))
    tab.network.on('POST /auth/v1/token', () => refusalResponse(400, 'invalid_grant'))
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    await sendWaiting(tab.device)
    expect(tab.network.lines).toContain('POST /auth/v1/token')
    expect(queuedIdsIn(tab)).toEqual(['op 0'])
  })
})

describe('an answer that cannot be stored', () => {
  test('an answer that cannot be stored is logged, and the operation is sent again with its key', async () => {
    const tab = await openWith({})
    tab.network.on(updateRequest, () => saved)
    const errorSpy = vi.spyOn(console, 'error').mockImplementation(() => {})
    const deleteSpy = vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementationOnce(() => {
      throw new DOMException('broken', 'UnknownError')
    })
    await sendWaiting(tab.device)
    expect(errorSpy).toHaveBeenCalledOnce()
    expect(queuedIdsIn(tab)).toEqual(['op 0'])
    deleteSpy.mockRestore()
    await pass(tab, 1000)
    expect(keysIn(tab)).toEqual(['op 0', 'op 0'])
    expect(queuedIdsIn(tab)).toEqual([])
  })

  test('an answer that cannot be stored because its user has signed out logs no error', async () => {
    const tab = await openWith({})
    tab.network.on(updateRequest, () => {
      sessionState(tab.device).set({ ready: true, session: null })
      return saved
    })
    const errorSpy = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementationOnce(() => {
      throw new DOMException('broken', 'UnknownError')
    })
    await sendWaiting(tab.device)
    expect(errorSpy).not.toHaveBeenCalled()
    await pass(tab, 60_000)
    expect(tab.network.sent).toHaveLength(1)
  })
})

describe('sending begins', () => {
  const page = new EventTarget()

  async function openStarted(): Promise<LoneTab & { stop: () => void; countRequests: () => Promise<number> }> {
    for (const name of ['addEventListener', 'removeEventListener'] as const) vi.stubGlobal(name, page[name].bind(page))
    const tab = await openWith({})
    const stop = startSending(tab.device)
    await untilIdle()
    const countRequests = async () => {
      await untilIdle()
      return tab.network.sent.splice(0).length
    }
    expect(await countRequests()).toBe(1)
    return { ...tab, stop, countRequests }
  }

  test('sending begins at the start, on focus, when the network is back, after a sign-in, after a renewal of the token, and when the server is back', async () => {
    const tab = await openStarted()
    const { device, countRequests } = tab
    for (const begin of [
      () => page.dispatchEvent(new Event('focus')),
      () => page.dispatchEvent(new Event('online')),
      () => sessionState(device).set({ ...sessionState(device).get() }),
      () => renewals(device).set(1),
      () => reachable(device).set(true),
    ]) {
      reachable(device).set(false)
      expect(await countRequests()).toBe(0)
      begin()
      expect(await countRequests()).toBe(1)
    }
    tab.stop()
    for (const name of ['focus', 'online']) page.dispatchEvent(new Event(name))
    reachable(device).set(false)
    reachable(device).set(true)
    renewals(device).set(2)
    tab.clock.advance(60_000)
    expect(await countRequests()).toBe(0)
  })

  test('an edit that is made after sending has started counts as made while the server is reachable', async () => {
    const tab = await openStarted()
    reachable(tab.device).set(true)
    tab.clock.advance(5010)
    const editedAt = serverNow(tab.device)
    tab.clock.advance(10)
    expect(wasUnreachableSince(tab.device, editedAt)).toBe(false)
    tab.stop()
  })

  test('when the network is back, sending begins at once, and the next delay is the shortest one; a focus does not change the next delay', async () => {
    const tab = await openStarted()
    await pass(tab, 1000)
    await pass(tab, 2000)
    expect(await tab.countRequests()).toBe(2)
    page.dispatchEvent(new Event('online'))
    expect(await tab.countRequests()).toBe(1)
    await pass(tab, 1000)
    expect(await tab.countRequests()).toBe(1)
    await pass(tab, 2000)
    await pass(tab, 3999)
    expect(await tab.countRequests()).toBe(1)
    page.dispatchEvent(new Event('focus'))
    expect(await tab.countRequests()).toBe(1)
    await pass(tab, 7999)
    expect(await tab.countRequests()).toBe(0)
    tab.stop()
  })

  test('sending begins when another tab has an operation to send', async () => {
    const { first, second } = await openTwoTabs()
    const stop = startSending(first.device)
    await untilIdle()
    first.network.on(updateRequest, () => saved)
    await addToQueue(second.device, operationOf(0, {}))
    await vi.waitFor(() => expect(keysIn(first)).toEqual(['op 0']))
    await vi.waitFor(() => expect([queuedIdsIn(first), queuedIdsIn(second)]).toEqual([[], []]))
    stop()
  })
})
