import { createHash } from 'node:crypto'
import { IDBObjectStore } from 'fake-indexeddb'
import { type Device, openDevice } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import type { Surroundings } from '#web/data/browser/surroundings.ts'
import { runSeriesCode } from '#web/data/changes/series-code.ts'
import { startEngine } from '#web/data/engine.ts'
import { chooseBrand } from '#web/data/people/active-brand.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { knownUserKey, sessionStorageKey } from '#web/data/server/session-token.ts'
import { sessionState } from '#web/data/session/session.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { maxCompleteRows } from '#web/data/store/modes.ts'
import { plainFetch } from '../plain-fetch.ts'
import { seededRandom } from '../seeded-random.ts'
import { PageLife, SimBrowser } from './sim-browser.ts'
import { SimClock } from './sim-clock.ts'
import { showBoard } from './sim-board.ts'
import { ShownScreens } from './sim-lists.ts'
import { RowWatch } from './sim-watch.ts'
import type { SimPerson, SimWorld } from './sim-world.ts'

/** Share of requests with a fault on an unsteady network: no connection, status 503, a delay, or a lost response. */
const faultRate = 0.15
/** Share of responses on an unsteady network that are on their way for up to `maxDelayMs`, while the life goes on. */
const lateRate = 0.25
const maxDelayMs = 5000

/** For each open connection to a database: the function that is called before the first `put` or `add` of each transaction of this connection. */
const beforeFirstWrite = new WeakMap<IDBDatabase, () => void>()
/** The transactions for which this function was called. */
const startedTransactions = new WeakSet<IDBTransaction>()

for (const verb of ['put', 'add'] as const) {
  const write = IDBObjectStore.prototype[verb]
  IDBObjectStore.prototype[verb] = function (this: IDBObjectStore, ...given: Parameters<typeof write>) {
    // Calls the function only for the first write of a transaction, because a transaction fails as a whole.
    if (!startedTransactions.has(this.transaction)) beforeFirstWrite.get(this.transaction.db)?.()
    startedTransactions.add(this.transaction)
    return write.apply(this, given)
  }
}

/** A tab of a person's browser, which can be killed and opened again. Its network and disk fail at random, by the seed. */
export class SimDevice {
  clock: SimClock
  device: Device
  /** Number of requests without a response yet. */
  underway = 0
  /** Number of all requests. */
  requests = 0
  /** Number of the requests that may write: all but GET and the RPCs of `readingRpcs`. */
  writeRequests = 0
  /**
   * steady: every response arrives at once. late: every response arrives, up to `maxDelayMs` late. unsteady: some requests get no response, a late one
   * or status 503. away: no request gets a response.
   */
  network: 'steady' | 'late' | 'unsteady' | 'away' = 'unsteady'
  private readonly openConnections: IDBDatabase[] = []
  isKilled = false
  private page = new PageLife()
  private writes = 0
  private isDiskFull = false
  private killAt = { requests: Number.POSITIVE_INFINITY, writes: Number.POSITIVE_INFINITY }
  private readonly requestsByPath = new Map<string, number>()
  readonly watch: RowWatch
  readonly screens: ShownScreens

  constructor(
    readonly person: SimPerson,
    readonly world: SimWorld,
    /** Faults depend only on the seed, and on the path and number of a request, so that a life can be repeated. */
    private readonly seed: string,
    /** The browser of this tab. All tabs of one browser have the same object. */
    readonly browser = new SimBrowser(),
  ) {
    browser.tabs += 1
    this.clock = new SimClock(browser.startedAt)
    this.watch = new RowWatch(person.email)
    this.screens = new ShownScreens(person.email)
    this.device = this.openTab()
  }

  /** Stores the person's session in the browser, as after a sign-in, and opens the brand. */
  async begin(brandId: string): Promise<void> {
    const { id, email, session } = this.person
    await keyValueStore(this.device).set(sessionStorageKey, session)
    await keyValueStore(this.device).set(knownUserKey, JSON.stringify({ userId: id, email }))
    this.startTab()
    await chooseBrand(this.device, brandId)
  }

  /** The brand as this device shows it. Null while none is open. */
  get data(): BrandData | null {
    return openBrand(this.device).get()
  }

  fillDisk(isFull: boolean): void {
    this.isDiskFull = isFull
  }

  /** Kills the page after this number of requests, or of transactions that write, from now on. `{}` cancels an announced kill. */
  killAfter({ requests = Number.POSITIVE_INFINITY, writes = Number.POSITIVE_INFINITY }): void {
    this.killAt = { requests: this.requests + requests, writes: this.writes + writes }
  }

  /** Ends the process of the page at once: its timers stop, it sends no further request, and it receives no response. */
  kill(): void {
    this.isKilled = true
    this.screens.hide()
    this.killAfter({})
    this.page.end()
    this.clock.stop()
    for (const database of this.openConnections.splice(0)) {
      Object.defineProperty(database, 'transaction', { value: inert })
      database.close()
    }
    // Stops the official client of the killed page, which would otherwise continue to renew the session.
    const killedDevice = this.device
    if (this.requests > 0) void loadClient(killedDevice).then(({ auth }) => auth.stopAutoRefresh())
  }

  /** Opens the app again after a kill. */
  reopen(): void {
    this.isKilled = false
    const now = this.clock.now()
    this.clock = new SimClock(now)
    this.device = this.openTab()
    this.startTab()
  }

  private startTab(): void {
    this.watch.follow(this.device)
    this.screens.follow(this.device)
    showBoard(this.device, this.browser.tabs === 1)
    startEngine(this.device)
    // Every second page shows a repeating task, and loads the code for it.
    if (this.browser.pages % 2 === 0) void runSeriesCode(this.device, () => {})
    this.browser.pages += 1
  }

  close(): void {
    this.kill()
    sessionState(this.device).set({ ready: true, session: null })
  }

  private openTab(): Device {
    const page = new PageLife()
    this.page = page
    const surroundings: Surroundings = {
      fetch: (input, init) => this.sendWithFaults(input, init ?? {}, () => !page.isOver),
      indexedDB: this.trackedDisk(page),
      locks: this.browser.locksFor(page),
      openChannel: () => this.browser.openChannelFor(page),
      WebSocket: undefined,
      clock: this.clock,
      tabStorage: undefined,
      readBackend: () => this.world.server,
    }
    const device = openDevice(surroundings)
    Object.assign(maxCompleteRows(device), this.world.maxCompleteRows)
    return device
  }

  /** Returns the browser's IndexedDB for one page. Records its connections, so that a kill can cut them. */
  private trackedDisk(page: PageLife): IDBFactory {
    const { openConnections } = this
    const { disk } = this.browser
    return new Proxy(disk, {
      get: (target, name) => {
        if (page.isOver) return inert
        if (name === 'open')
          return (...given: Parameters<IDBFactory['open']>) => {
            const request = target.open(...given)
            request.addEventListener('success', () => {
              beforeFirstWrite.set(request.result, () => this.beforeWrite(page))
              if (page.isOver) Object.defineProperty(request.result, 'transaction', { value: inert })
              else openConnections.push(request.result)
            })
            return request
          }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  private async sendWithFaults(input: RequestInfo | URL, init: RequestInit, isAlive: () => boolean): Promise<Response> {
    if (!isAlive()) return never()
    this.requests += 1
    if (mayWrite(input, init)) this.writeRequests += 1
    const random = this.randomFor(input instanceof Request ? input.url : String(input))
    const fault = this.network === 'unsteady' && random() < faultRate ? random() : 1
    const isLate = this.network === 'late' || (this.network === 'unsteady' && random() < lateRate)
    const delay = isLate ? random() * maxDelayMs : 0
    if (this.network === 'away' || fault < 0.3) throw new TypeError('fetch failed')
    if (fault < 0.4) return busyResponse()
    if (fault < 0.7) await this.pause(random() * maxDelayMs)
    const isLast = this.requests > this.killAt.requests
    // The page is killed before the request leaves, or when its response arrives.
    if (isLast && random() < 0.5) this.kill()
    if (!isAlive()) return never()
    const response = await this.send(input, init, () => isLast && isAlive() && this.kill())
    if (!isAlive()) return never()
    if (fault < 1 && fault >= 0.7) throw new TypeError('fetch failed')
    if (delay === 0) return response
    await this.pause(delay)
    if (!isAlive()) return never()
    init.signal?.throwIfAborted()
    return response
  }

  /** Sends a request to the server and waits for the complete response. Then calls `onArrival`. */
  private async send(input: RequestInfo | URL, init: RequestInit, onArrival: () => void): Promise<Response> {
    this.underway += 1
    try {
      const response = await plainFetch(input, init)
      onArrival()
      return response
    } finally {
      this.underway -= 1
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, milliseconds))
  }

  private randomFor(address: string): () => number {
    const path = new URL(address).pathname
    const requestNumber = (this.requestsByPath.get(path) ?? 0) + 1
    this.requestsByPath.set(path, requestNumber)
    return seededRandom(createHash('sha256').update(`${this.seed} ${path} ${requestNumber}`).digest().readUInt32LE())
  }

  private beforeWrite(page: PageLife): void {
    this.writes += 1
    if (!page.isOver && this.writes > this.killAt.writes) this.kill()
    if (page.isOver) throw new DOMException('The page was killed.', 'AbortError')
    if (this.isDiskFull) throw new DOMException('The disk is full.', 'QuotaExceededError')
  }
}

/** The RPCs that the devices of a life call without an edit of a person. */
const readingRpcs = ['pull', 'read_queries', 'board', 'read_imports', 'list_brand_members', 'open_brand']

function mayWrite(input: RequestInfo | URL, { method = 'GET' }: RequestInit): boolean {
  const path = new URL(input instanceof Request ? input.url : String(input)).pathname
  return method !== 'GET' && !readingRpcs.some((name) => path.endsWith(`/rpc/${name}`))
}

/** Replaces the disk of a killed page: calls have no effect, and promises never resolve. */
const inert: unknown = new Proxy(() => {}, {
  get: (_, name): unknown => (name === 'then' ? () => {} : inert),
  apply: () => inert,
})

function never(): Promise<never> {
  return new Promise(() => {})
}

function busyResponse(): Response {
  return new Response('{"message":"busy"}', { status: 503, headers: { 'retry-after': '1' } })
}
