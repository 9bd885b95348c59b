import ws from 'ws'
import { type Device, openDevice } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import type { Clock, Surroundings } from '#web/data/browser/surroundings.ts'
import { runSeriesCode } from '#web/data/changes/series-code.ts'
import { startEngine } from '#web/data/engine.ts'
import { sessionState } from '#web/data/session/session.ts'
import { browserDatabase } from './browser-database.ts'
import { browserLocks } from './browser-locks.ts'
import type { TestServer } from './server.ts'
import { dataLayer } from './data-layer.ts'

type Verdict = 'pass' | 'refuse' | 'drop-answer' | Response

/** How the network treats the next requests of the fake browser. */
export interface FakeNetwork {
  /** True: all requests fail. */
  offline: boolean
  /**
   * Decides about one request: 'pass', 'refuse' (it never arrives), 'drop-answer' (the server applies it, the response is
   * lost), or a response that replaces the server's. May return a promise: the request waits for it.
   */
  judge: (url: string, init: RequestInit) => Verdict | Promise<Verdict>
  /** The method, path and Idempotency-Key of each request that was sent to the server. */
  log: { method: string; path: string; key: string | null }[]
}

/** A tab: its device, and the functions of the data layer. */
export type Tab = { device: Device } & typeof dataLayer

/** A browser in Node, without pages. Its tabs share IndexedDB and the network. */
export interface FakeBrowser {
  network: FakeNetwork
  indexedDB: IDBFactory
  /** `stored`: values of the key-value store before the tab is opened. */
  openTab(stored?: Readonly<Record<string, string>>): Promise<Tab>
  /** Makes all requests fail, and removes the session of each tab from its memory. */
  close(): void
}

/** The real clock. Its timers do not keep a finished process alive. */
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds).unref(),
  clearTimeout: (timer) => clearTimeout(timer),
  setInterval: (run, milliseconds) => setInterval(run, milliseconds).unref(),
  clearInterval: (timer) => clearInterval(timer),
}

let browserCount = 0

/**
 * Creates the surroundings of a browser in Node: IndexedDB, locks and messages between its tabs, and a network that can fail. A test may create
 * several. `more` replaces some of the surroundings.
 */
export function fakeBrowser(
  server: Pick<TestServer, 'url' | 'publishableKey'>,
  more: Partial<Surroundings> = {},
): FakeBrowser {
  // The official client needs a WebSocket class when it is created.
  Object.assign(globalThis, { WebSocket: ws })
  browserCount += 1
  const name = `fake browser ${browserCount}`
  const network: FakeNetwork = { offline: false, judge: () => 'pass', log: [] }
  const surroundings: Surroundings = {
    fetch: faultyFetch(network),
    indexedDB: browserDatabase(),
    locks: browserLocks(),
    openChannel: () => openChannel(name),
    WebSocket: ws as unknown as typeof globalThis.WebSocket,
    clock,
    tabStorage: undefined,
    readBackend: () => server,
    ...more,
  }
  const openedDevices: Device[] = []
  return {
    network,
    indexedDB: surroundings.indexedDB,
    openTab: async (stored = {}) => {
      const device = openDevice({ ...surroundings, tabStorage: fakeStorage() })
      for (const [key, value] of Object.entries(stored)) await keyValueStore(device).set(key, value)
      openedDevices.push(device)
      startEngine(device)
      // Loads the code of repeating tasks, as a screen does when it shows the first repeating task.
      await runSeriesCode(device, () => {})
      return { device, ...dataLayer }
    },
    close: () => {
      network.offline = true
      for (const device of openedDevices) sessionState(device).set({ ready: true, session: null })
    },
  }
}

function openChannel(name: string) {
  const channel = new BroadcastChannel(name)
  // In Node an open channel would keep a finished process alive.
  if ('unref' in channel && typeof channel.unref === 'function') channel.unref()
  return channel
}

function faultyFetch(network: FakeNetwork): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = String(input instanceof Request ? input.url : input)
    const headers = new Headers(init.headers)
    const verdict = network.offline ? 'refuse' : await network.judge(url, init)
    if (verdict === 'refuse') throw new TypeError('fetch failed')
    if (verdict instanceof Response) return verdict
    network.log.push({ method: init.method ?? 'GET', path: new URL(url).pathname, key: headers.get('idempotency-key') })
    const response = await fetch(input, init)
    // Without a network, no response arrives, not even to an earlier request.
    if (verdict === 'pass' && !network.offline) return response
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
}

export function fakeStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
  }
}
