import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ana, type LoneTab, openLoneTab, untilIdle, storedSession } from '#tests/harness/lone-tab.ts'
import { PreparedRealtime } from '#tests/harness/prepared-realtime.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { keepJoined } from './live-channel.ts'
import { liveSocket } from './live-socket.ts'

let visibility = 'visible'
const documentEvents = new EventTarget()

beforeEach(() => {
  // Fakes the timers of the official client, so that no timer keeps running after a test.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
  visibility = 'visible'
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibility
    },
    addEventListener: documentEvents.addEventListener.bind(documentEvents),
    removeEventListener: documentEvents.removeEventListener.bind(documentEvents),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface JoinedTab extends LoneTab {
  realtime: PreparedRealtime
  /** For each call of `onChange`: whether the channel was joined. */
  changes: boolean[]
}

async function openChannel(parts: Parameters<typeof openLoneTab>[0] = {}): Promise<JoinedTab> {
  const realtime = new PreparedRealtime()
  const tab = await openLoneTab({ WebSocket: realtime.WebSocket, ...parts })
  const changes: boolean[] = []
  void keepJoined(
    tab.data,
    (socket) => socket.channel('acme'),
    (channel) => changes.push(channel !== null),
  )
  await untilIdle()
  return { ...tab, realtime, changes }
}

async function advance({ clock }: LoneTab, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await untilIdle()
}

const topic = 'realtime:acme'

describe('a channel', () => {
  test('a channel is joined on the only socket of the tab, with the token of the session', async () => {
    const tab = await openChannel()
    expect([tab.realtime.joins, tab.changes]).toEqual([[topic], [true]])
    expect(tab.realtime.opened[0]).toContain('ws://acme.test/realtime/v1/websocket?apikey=public')
    const [join] = tab.realtime.of('phx_join')
    expect(join?.payload).toMatchObject({ access_token: expect.stringMatching(/^e30\./) })
    void keepJoined(
      tab.data,
      (socket) => socket.channel('another'),
      () => {},
    )
    await untilIdle()
    expect([tab.realtime.opened.length, tab.realtime.joins]).toEqual([1, [topic, 'realtime:another']])
    expect(await liveSocket(tab.device)).toBe(await liveSocket(tab.device))
  })

  test('a channel is joined when the page is visible and idle', async () => {
    visibility = 'hidden'
    const idleCallbacks: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idleCallbacks.push(run))
    const tab = await openChannel()
    expect([idleCallbacks.length, tab.realtime.opened]).toEqual([0, []])
    visibility = 'visible'
    documentEvents.dispatchEvent(new Event('visibilitychange'))
    await untilIdle()
    expect([idleCallbacks.length, tab.realtime.opened]).toEqual([1, []])
    idleCallbacks[0]?.()
    await untilIdle()
    expect(tab.realtime.joins).toEqual([topic])
  })

  test('a channel gets the new token when the session is renewed', async () => {
    const tab = await openChannel()
    const { auth } = await loadClient(tab.device)
    const renewedSession = storedSession(ana, 'renewed')
    tab.network.on('POST /auth/v1/token', () => ({ body: renewedSession }))
    await auth.refreshSession()
    await untilIdle()
    expect(tab.realtime.of('access_token')).toMatchObject([
      { topic, payload: { access_token: renewedSession.access_token } },
    ])
  })

  test('a channel is not opened where the browser has no WebSocket', async () => {
    const tab = await openChannel({ WebSocket: undefined })
    expect([tab.changes, tab.network.sent]).toEqual([[], []])
  })

  test('a channel that the server closed is joined again after 0.5, 2, 5 and 10 seconds, then every 30 seconds', async () => {
    const tab = await openChannel()
    for (const [index, delay] of [500, 2000, 5000, 10_000, 30_000, 30_000].entries()) {
      tab.realtime.send(topic, 'phx_close', {})
      await untilIdle()
      expect(tab.changes.at(-1)).toBe(false)
      await advance(tab, delay - 1)
      expect(tab.realtime.joins).toHaveLength(index + 1)
      await advance(tab, 1)
      expect(tab.realtime.joins).toHaveLength(index + 2)
      expect(tab.changes.at(-1)).toBe(true)
    }
  })

  test('a channel that the server closed more than ten seconds after the join is joined again after the shortest delay', async () => {
    const tab = await openChannel()
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await advance(tab, 500)
    await advance(tab, 10_000)
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await advance(tab, 1999)
    expect(tab.realtime.joins).toHaveLength(2)
    await advance(tab, 1)
    await advance(tab, 10_001)
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await advance(tab, 500)
    expect(tab.realtime.joins).toHaveLength(4)
  })

  test('a channel of a hidden page that the server closed is joined again when the page becomes visible', async () => {
    const tab = await openChannel()
    visibility = 'hidden'
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await advance(tab, 500)
    expect(tab.realtime.joins).toHaveLength(1)
    visibility = 'visible'
    documentEvents.dispatchEvent(new Event('visibilitychange'))
    await untilIdle()
    expect(tab.realtime.joins).toHaveLength(2)
  })

  test('a channel of a closed brand is left, and not joined again', async () => {
    const tab = await openChannel()
    tab.data.close()
    await untilIdle()
    expect(tab.changes).toEqual([true, false])
    expect(tab.realtime.of('phx_leave').map((frame) => frame.topic)).toEqual([topic])
    await advance(tab, 60_000)
    expect(tab.realtime.joins).toHaveLength(1)
    const waitingTab = await openChannel()
    waitingTab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    waitingTab.data.close()
    await advance(waitingTab, 60_000)
    expect(waitingTab.realtime.joins).toHaveLength(1)
    expect(waitingTab.realtime.of('phx_leave')).toEqual([])
  })

  test('a channel is not joined if the brand is closed before the socket is open', async () => {
    const realtime = new PreparedRealtime()
    const tab = await openLoneTab({ WebSocket: realtime.WebSocket })
    const joining = keepJoined(
      tab.data,
      (socket) => socket.channel('acme'),
      () => {},
    )
    tab.data.close()
    await joining
    await untilIdle()
    expect(realtime.joins).toEqual([])
  })
})

describe('the code of the socket does not load', () => {
  test('the code of the socket is requested again, after growing delays, until it loads or the brand is closed', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    let loadAttempts = 0
    const readBackend = () => {
      loadAttempts += 1
      if (loadAttempts < 4) throw new Error('away')
      return { url: 'https://acme.test', publishableKey: 'public' }
    }
    const tab = await openChannel({ readBackend })
    expect(loadAttempts).toBe(1)
    await advance(tab, 499)
    expect(loadAttempts).toBe(1)
    await advance(tab, 1)
    expect(loadAttempts).toBe(2)
    await advance(tab, 2000)
    expect(loadAttempts).toBe(3)
    await advance(tab, 5000)
    expect(tab.realtime.joins).toEqual([topic])
    expect(tab.realtime.opened[0]).toContain('wss://acme.test/realtime/v1')
    let failedLoads = 0
    const unloadedTab = await openChannel({
      readBackend: () => {
        failedLoads += 1
        throw new Error('away')
      },
    })
    unloadedTab.data.close()
    await advance(unloadedTab, 60_000)
    expect(failedLoads).toBe(1)
  })
})
