import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { type CallerContext, type RequestDatabase, type Rows, type Statement, Unavailable } from './as-caller.ts'
import { isStalePlan } from './batch.ts'
import { isConnectionLoss } from './connection-loss.ts'
import { FairQueue } from './fair-queue.ts'
import { RequestConnection } from './request-connection.ts'

export interface RequestPoolOptions {
  /** How the login of requests connects. */
  connection: ClientConfig
  log: Logger
  /** Called when the database is back after a connection was lost. */
  onReconnect: () => void
  /** For statements that are quick, as nearly all are. */
  maxConnections?: number
  /** That many more while statements are slow: who waits for a lock does not stand in the others' way. */
  maxSlow?: number
  maxWaiting?: number
  /** Milliseconds that a request waits for a connection. */
  acquireMs?: number
}

interface Job {
  context: CallerContext
  statements: readonly Statement[]
  signal: AbortSignal | undefined
  enqueuedAt: number
  startedAt: number
  retried: boolean
  resolve: (results: Rows[]) => void
  reject: (error: Error) => void
}

const MAX_CONNECTIONS = 10
const MAX_SLOW = 20
/** A statement that runs longer counts as slow. */
const SLOW_MS = 500
const MAX_WAITING = 1_000
const ACQUIRE_MS = 5_000
/** An idle connection costs the database some megabytes; this many are kept for the next request. */
const KEPT_IDLE = 2
const IDLE_MS = 30_000
/** How often a database that is away is asked again; it is served at most this long after its return. */
const PROBE_MS = 50
const SWEEP_MS = 250
/** After the database had no further place. */
const GROW_PAUSE_MS = 1_000
/** Beyond the statements' own timeout; then the database is taken for frozen. */
const ANSWER_GRACE_MS = 2_000

/**
 * The connections that requests share. Grows when all are busy and shrinks when they rest; a request waits a bounded
 * time in a bounded queue; one path never holds all connections, so that a locked table leaves the others their turn.
 */
export class RequestPool implements RequestDatabase {
  readonly #options: Required<RequestPoolOptions>
  readonly #idle: RequestConnection[] = []
  readonly #running = new Map<RequestConnection, Job>()
  readonly #queue: FairQueue<Job>
  #size = 0
  #opening = 0
  #away = false
  #lostOne = false
  #growAfter = 0
  #slow = 0
  #closed = false
  /** While the disk is full. */
  readOnly = false
  #probe: NodeJS.Timeout | null = null
  #sweeper: NodeJS.Timeout | null = null
  #drained: (() => void) | null = null

  constructor(options: RequestPoolOptions) {
    this.#options = {
      maxConnections: MAX_CONNECTIONS,
      maxSlow: MAX_SLOW,
      maxWaiting: MAX_WAITING,
      acquireMs: ACQUIRE_MS,
      ...options,
    }
    const { maxConnections } = this.#options
    this.#queue = new FairQueue(Math.max(1, maxConnections - Math.max(1, Math.floor(maxConnections / 5))))
  }

  /** Opens the first connections, so that a wrong login shows at the start. Rejects when it cannot. */
  async warm(): Promise<void> {
    for (let i = 0; i < KEPT_IDLE; i++) {
      this.#size++
      try {
        const connection = await this.#connect()
        connection.idleSince = performance.now()
        this.#idle.push(connection)
      } catch (error) {
        this.#size--
        throw error
      }
    }
    this.#watch()
  }

  run(context: CallerContext, statements: readonly Statement[], signal?: AbortSignal): Promise<Rows[]> {
    if (this.#closed) return Promise.reject(new Unavailable('The server is stopping', 1))
    if (this.#away) return Promise.reject(new Unavailable('The database is away', 1))
    if (this.#queue.size >= this.#options.maxWaiting)
      return Promise.reject(new Unavailable('Too many requests are waiting', 1))
    return new Promise((resolve, reject) => {
      const now = performance.now()
      this.#queue.add(lineOf(context), {
        context,
        statements,
        signal,
        enqueuedAt: now,
        startedAt: now,
        retried: false,
        resolve,
        reject,
      })
      this.#next()
    })
  }

  get isAway(): boolean {
    return this.#away
  }

  /** Lets what runs or waits finish, then ends the connections. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#running.size > 0 || this.#queue.size > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
    if (this.#probe) clearTimeout(this.#probe)
    if (this.#sweeper) clearInterval(this.#sweeper)
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  #next(): void {
    while (this.#queue.size > 0) {
      const connection = this.#idle.pop()
      if (!connection) {
        if (this.#mayGrow()) this.#grow()
        return
      }
      const job = this.#queue.take()
      if (!job) {
        this.#idle.push(connection)
        return
      }
      if (job.signal?.aborted) {
        this.#idle.push(connection)
        this.#settle(job, null, new Unavailable('The caller has hung up', 1))
      } else {
        this.#start(connection, job)
      }
    }
  }

  #start(connection: RequestConnection, job: Job): void {
    job.startedAt = performance.now()
    this.#running.set(connection, job)
    this.#watch()
    connection.run(job.context, job.statements, this.readOnly).then(
      (results) => {
        this.#giveBack(connection)
        this.#settle(job, results, null)
      },
      (error: Error) => {
        const lost = connection.lost || isConnectionLoss(error)
        if (lost && !connection.lost) {
          // Its last word came before the end of the wire: nobody else may be sent into it.
          connection.close()
          this.#lose(connection)
        }
        this.#giveBack(connection)
        if (!job.retried && !lost && isStalePlan(error)) {
          job.retried = true
          this.#queue.done(lineOf(job.context))
          this.#queue.add(lineOf(job.context), job)
          this.#next()
        } else {
          this.#settle(job, null, this.#translated(error, lost))
        }
      },
    )
  }

  #translated(error: Error, lost: boolean): Error {
    if (lost) return new Unavailable('The connection to the database was lost', 1)
    const { code } = error as { code?: string }
    const diskFull = code === '53100' || (code === '25006' && this.readOnly)
    return diskFull ? new Unavailable('The disk of the database is full', 30) : error
  }

  #settle(job: Job, results: Rows[] | null, error: Error | null): void {
    this.#queue.done(lineOf(job.context))
    if (results) job.resolve(results)
    else job.reject(error as Error)
    this.#next()
    if (this.#running.size === 0 && this.#queue.size === 0) this.#drained?.()
  }

  #giveBack(connection: RequestConnection): void {
    this.#running.delete(connection)
    if (connection.lost) return
    connection.idleSince = performance.now()
    this.#idle.push(connection)
  }

  #mayGrow(): boolean {
    const { maxConnections, maxSlow } = this.#options
    const limit = maxConnections + Math.min(this.#slow, maxSlow)
    const wanted = this.#size < limit && this.#opening < this.#queue.size
    return wanted && (this.#size === 0 || performance.now() > this.#growAfter)
  }

  #grow(): void {
    this.#size++
    this.#opening++
    this.#connect().then(
      (connection) => {
        this.#opening--
        if (this.#closed && this.#queue.size === 0) return connection.close()
        connection.idleSince = performance.now()
        this.#idle.push(connection)
        return this.#next()
      },
      (error: Error) => {
        this.#opening--
        this.#size--
        this.#goAway(error)
      },
    )
  }

  async #connect(): Promise<RequestConnection> {
    const connection = await RequestConnection.open(this.#options.connection, (lost) => this.#lose(lost))
    this.#away = false
    if (this.#lostOne) {
      this.#lostOne = false
      this.#options.onReconnect()
    }
    return connection
  }

  #lose(connection: RequestConnection): void {
    this.#size--
    this.#lostOne = true
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    // At once, without waiting for a request: is the database gone, or was it one connection?
    if (!this.#closed && this.#size === 0 && this.#opening === 0 && !this.#away) this.#grow()
  }

  /** The database does not take connections: who waits is told at once, and it is asked again until it is back. */
  #goAway(error: Error): void {
    const reason = error.message
    if (this.#size > 0 && !isConnectionLoss(error)) {
      // It has no further place for us, but what we have serves on.
      if (performance.now() > this.#growAfter)
        this.#options.log.warn({ reason }, 'no further connection to the database')
      this.#growAfter = performance.now() + GROW_PAUSE_MS
      return
    }
    if (!this.#away && !this.#closed) this.#options.log.error({ reason }, 'the database is away')
    this.#away = true
    this.#lostOne = true
    for (let job = this.#queue.drop(); job; job = this.#queue.drop()) {
      job.reject(new Unavailable('The database is away', 1))
    }
    this.#drainedIfIdle()
    if (this.#closed || this.#probe) return
    this.#probe = setTimeout(() => {
      this.#probe = null
      if (this.#away && this.#opening === 0) this.#grow()
    }, PROBE_MS)
  }

  #drainedIfIdle(): void {
    if (this.#running.size === 0 && this.#queue.size === 0) this.#drained?.()
  }

  #watch(): void {
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /** Four times a second instead of a timer a request: who waited too long, what runs too long, what rests too long. */
  #sweep(): void {
    const now = performance.now()
    for (const job of this.#queue.expire(
      (job) => now - job.enqueuedAt > this.#options.acquireMs || job.signal?.aborted === true,
    )) {
      job.reject(new Unavailable('No connection to the database became free in time', 1))
    }
    this.#slow = 0
    for (const [connection, job] of this.#running) {
      const ran = now - job.startedAt
      if (ran > SLOW_MS) this.#slow++
      const limit = job.context.timeoutMs * (job.statements.length + 1) + ANSWER_GRACE_MS
      if (ran > limit || (job.signal?.aborted && ran > SWEEP_MS)) connection.destroy()
    }
    if (this.#slow > 0) this.#next()
    while (
      this.#idle.length > 0 &&
      this.#size > KEPT_IDLE &&
      now - (this.#idle[0] as RequestConnection).idleSince > IDLE_MS
    ) {
      this.#size--
      this.#idle.shift()?.close()
    }
  }
}

/** Requests that are likely to wait for the same thing. */
function lineOf({ method, path }: CallerContext): string {
  return `${method} ${path}`
}
