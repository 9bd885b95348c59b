import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ana, type LoneTab, openLoneTab, untilIdle, storedSession } from '#tests/harness/lone-tab.ts'
import { PreparedRealtime } from '#tests/harness/prepared-realtime.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { keepJoined } from './live-channel.ts'
import { liveSocket } from './live-socket.ts'

let visibility = 'visible'
const page = new EventTarget()

beforeEach(() => {
  // Fakes the timers of the official client, so that no timer runs on after a test.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
  visibility = 'visible'
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibility
    },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Joined extends LoneTab {
  realtime: PreparedRealtime
  /** For each call of `onChange`: whether the channel was joined. */
  changes: boolean[]
}

async function open(parts: Parameters<typeof openLoneTab>[0] = {}): Promise<Joined> {
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

async function pass({ clock }: LoneTab, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await untilIdle()
}

const topic = 'realtime:acme'

describe('a channel', () => {
  test('a channel is joined on the only socket of the tab, with the token of the session', async () => {
    const tab = await open()
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
    const idle: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
    const tab = await open()
    expect([idle.length, tab.realtime.opened]).toEqual([0, []])
    visibility = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await untilIdle()
    expect([idle.length, tab.realtime.opened]).toEqual([1, []])
    idle[0]?.()
    await untilIdle()
    expect(tab.realtime.joins).toEqual([topic])
  })

  test('a channel gets the new token when the session is renewed', async () => {
    const tab = await open()
    const { auth } = await loadClient(tab.device)
    const renewed = storedSession(ana, 'renewed')
    tab.network.on('POST /auth/v1/token', () => ({ body: renewed }))
    await auth.refreshSession()
    await untilIdle()
    expect(tab.realtime.of('access_token')).toMatchObject([{ topic, payload: { access_token: renewed.access_token } }])
  })

  test('a channel is not opened where the browser has no WebSocket', async () => {
    const tab = await open({ WebSocket: undefined })
    expect([tab.changes, tab.network.sent]).toEqual([[], []])
  })

  test('a channel that the server closed is joined again after 0.5, 2, 5 and 10 seconds, then every 30 seconds', async () => {
    const tab = await open()
    for (const [index, delay] of [500, 2000, 5000, 10_000, 30_000, 30_000].entries()) {
      tab.realtime.send(topic, 'phx_close', {})
      await untilIdle()
      expect(tab.changes.at(-1)).toBe(false)
      await pass(tab, delay - 1)
      expect(tab.realtime.joins).toHaveLength(index + 1)
      await pass(tab, 1)
      expect(tab.realtime.joins).toHaveLength(index + 2)
      expect(tab.changes.at(-1)).toBe(true)
    }
  })

  test('a channel that the server closed more than ten seconds after the join is joined again after the shortest delay', async () => {
    const tab = await open()
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await pass(tab, 500)
    await pass(tab, 10_000)
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await pass(tab, 1999)
    expect(tab.realtime.joins).toHaveLength(2)
    await pass(tab, 1)
    await pass(tab, 10_001)
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await pass(tab, 500)
    expect(tab.realtime.joins).toHaveLength(4)
  })

  test('a channel of a hidden page is joined when the page becomes visible', async () => {
    const tab = await open()
    visibility = 'hidden'
    tab.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    await pass(tab, 500)
    expect(tab.realtime.joins).toHaveLength(1)
    visibility = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await untilIdle()
    expect(tab.realtime.joins).toHaveLength(2)
  })

  test('a channel of a closed brand is left, and not joined again', async () => {
    const tab = await open()
    tab.data.close()
    await untilIdle()
    expect(tab.changes).toEqual([true, false])
    expect(tab.realtime.of('phx_leave').map((frame) => frame.topic)).toEqual([topic])
    await pass(tab, 60_000)
    expect(tab.realtime.joins).toHaveLength(1)
    const waiting = await open()
    waiting.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    waiting.data.close()
    await pass(waiting, 60_000)
    expect(waiting.realtime.joins).toHaveLength(1)
    expect(waiting.realtime.of('phx_leave')).toEqual([])
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
  test('the code of the socket is loaded again, after growing delays, until the brand is closed', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    let tries = 0
    const readBackend = () => {
      tries += 1
      if (tries < 4) throw new Error('away')
      return { url: 'https://acme.test', publishableKey: 'public' }
    }
    const tab = await open({ readBackend })
    expect(tries).toBe(1)
    await pass(tab, 499)
    expect(tries).toBe(1)
    await pass(tab, 1)
    expect(tries).toBe(2)
    await pass(tab, 2000)
    expect(tries).toBe(3)
    await pass(tab, 5000)
    expect(tab.realtime.joins).toEqual([topic])
    expect(tab.realtime.opened[0]).toContain('wss://acme.test/realtime/v1')
    let failed = 0
    const away = await open({
      readBackend: () => {
        failed += 1
        throw new Error('away')
      },
    })
    away.data.close()
    await pass(away, 60_000)
    expect(failed).toBe(1)
  })
})
