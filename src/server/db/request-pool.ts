import {
  type CallerContext,
  type RequestDatabase,
  type Rows,
  type Statement,
  TooManyWaiting,
  Unavailable,
} from './as-caller.ts'
import { isStalePlan } from './batch.ts'
import { isConnectionLoss } from './connection-loss.ts'
import { type Caps, FairQueue } from './fair-queue.ts'
import { hungUp, type Job, newJob, translated } from './pool-job.ts'
import { capsOf, mostOf, type RequestPoolOptions, withDefaults } from './pool-options.ts'
import { RequestConnection } from './request-connection.ts'

/** A statement that runs longer counts as slow: the pool may grow by one. */
const slowAfterMs = 150
/** A statement that runs longer costs its user places; on a busy machine honest ones take a while, too. */
const heavyAfterMs = 500
/** For how long it is remembered of a user that their statements are slow. */
const rememberSlowMs = 5_000
/** An idle connection costs the database some megabytes; this many are kept for the next request. */
const minIdleConnections = 2
const idleTimeoutMs = 30_000
/** How often a database that is away is asked again; it is served at most this long after its return. */
const probeIntervalMs = 50
const sweepIntervalMs = 250
/** While somebody waits: how soon to look whether what runs has become slow. */
const checkIntervalMs = 50
/** A statement that was asked to end does so at once, or its wire is cut. */
const cancelIntervalMs = 1_000
/** A statement whose wire we have cut goes on in the database until PostgreSQL notices (each second). */
const ghostTimeoutMs = 1_200
/** After the database had no further place. */
const growPauseMs = 1_000
/** Beyond the statements' own timeout; then the database is taken for frozen. */
const answerGraceMs = 2_000

/**
 * The connections that requests share. Grows when all are busy and shrinks when they rest; a request waits a bounded
 * time in a bounded queue. Nobody holds all connections: not a path (a locked table leaves the others their turn), not a
 * user (a third at most), not those of one network or group (two thirds); the last fifth is for users of whom nothing runs.
 */
export class RequestPool implements RequestDatabase {
  readonly #options: Required<RequestPoolOptions>
  readonly #idle: RequestConnection[] = []
  readonly #running = new Map<RequestConnection, Job>()
  readonly #queue = new FairQueue<Job>()
  readonly #total: number
  readonly #caps: Caps
  #size = 0
  #opening = 0
  #away = false
  #lostOne = false
  #growAfter = 0
  #slow = 0
  /** Places of statements whose wire we have cut. */
  #ghosts = 0
  #looking: NodeJS.Timeout | null = null
  #closed = false
  /** While the disk is full. */
  readOnly = false
  #probe: NodeJS.Timeout | null = null
  #sweeper: NodeJS.Timeout | null = null
  #drained: (() => void) | null = null

  constructor(options: RequestPoolOptions) {
    this.#options = withDefaults(options)
    this.#total = this.#options.maxConnections + this.#options.maxSlow
    this.#caps = capsOf(this.#options)
  }

  /** Opens the first connections, so that a wrong login shows at the start. Rejects when it cannot. */
  async warm(): Promise<void> {
    for (let i = 0; i < minIdleConnections; i++) {
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
    const user = context.user ?? context.role
    const { maxWaiting, maxWaitingOfUser } = this.#options
    if (context.role !== 'service_role' && this.#queue.waitingOf(user) >= maxWaitingOfUser)
      return Promise.reject(new TooManyWaiting(`${maxWaitingOfUser} of your requests are waiting already`, 2))
    if (this.#queue.size >= maxWaiting) {
      const shed = this.#queue.shed(user)
      if (!shed) return Promise.reject(new Unavailable('Too many requests are waiting', 1))
      shed.reject(new TooManyWaiting('Too many requests are waiting, most of them yours', 2))
    }
    return new Promise((resolve, reject) => {
      this.#queue.add(newJob({ user, context, statements, signal, resolve, reject }))
      this.#next()
    })
  }

  /** What the connections do, and how many requests wait for one. */
  get figures(): { busy: number; idle: number; waiting: number } {
    return { busy: this.#running.size, idle: this.#idle.length, waiting: this.#queue.size }
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
    if (this.#looking) clearTimeout(this.#looking)
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  #next(): void {
    for (let job = this.#runnable(); job; job = this.#runnable()) {
      const connection = this.#idle.pop()
      if (!connection) {
        if (this.#mayGrow()) this.#grow()
        break
      }
      this.#queue.start(job)
      if (job.signal?.aborted) {
        this.#idle.push(connection)
        this.#settle(job, null, hungUp())
      } else {
        this.#start(connection, job)
      }
    }
    if (this.#queue.size > 0 && this.#slow < this.#options.maxSlow) this.#lookSoon()
  }

  #runnable(): Job | undefined {
    const caps = this.#caps
    const busy = this.#running.size + this.#ghosts
    caps.onlyNewcomers = busy >= mostOf(this.#total)
    caps.perPath = mostOf(this.#options.maxConnections + this.#slow)
    return this.#queue.find(caps)
  }

  /** Somebody waits: what runs may soon count as slow, and make room. */
  #lookSoon(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = null
      this.#countSlow()
      this.#next()
    }, checkIntervalMs)
  }

  #start(connection: RequestConnection, job: Job): void {
    job.startedAt = performance.now()
    this.#running.set(connection, job)
    this.#watch()
    connection.run(job.context, job.statements, this.readOnly).then(
      (results) => this.#finish(connection, job, results, null),
      (error: Error) => this.#finish(connection, job, null, error),
    )
  }

  #finish(connection: RequestConnection, job: Job, results: Rows[] | null, error: Error | null): void {
    if (connection.abandoned) return this.#bury(connection, job, error ?? hungUp())
    if (connection.cancelling) {
      void connection.cancelling.then(() => this.#finish(connection, job, results, error))
      return
    }
    const lost = error !== null && (connection.lost || isConnectionLoss(error))
    if (lost && !connection.lost) {
      // Its last word came before the end of the wire: nobody else may be sent into it.
      connection.close()
      this.#lose(connection)
    }
    this.#giveBack(connection)
    if (error && !job.retried && !lost && isStalePlan(error)) {
      job.retried = true
      this.#queue.done(job)
      this.#queue.add(job)
      this.#next()
    } else {
      this.#settle(job, results, error && translated(error, job, { lost, readOnly: this.readOnly }))
    }
  }

  #settle(job: Job, results: Rows[] | null, error: Error | null): void {
    this.#queue.done(job)
    if (results) job.resolve(results)
    else job.reject(error as Error)
    this.#next()
    if (this.#running.size === 0 && this.#queue.size === 0) this.#drained?.()
  }

  /**
   * We cut the wire ourselves, and the database is well: another connection takes its place. The job is over for its caller,
   * but it keeps its place until PostgreSQL has stopped working for it: else whoever hangs up would have more than their part.
   */
  #bury(connection: RequestConnection, job: Job, error: Error): void {
    this.#running.delete(connection)
    this.#ghosts++
    job.reject(error)
    setTimeout(() => {
      this.#ghosts--
      this.#size--
      this.#queue.done(job)
      this.#next()
      this.#drainedIfIdle()
    }, ghostTimeoutMs).unref()
    this.#drainedIfIdle()
  }

  #giveBack(connection: RequestConnection): void {
    this.#running.delete(connection)
    if (connection.lost) return
    connection.idleSince = performance.now()
    this.#idle.push(connection)
  }

  #mayGrow(): boolean {
    const limit = this.#options.maxConnections + this.#slow
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
    if (connection.abandoned) return
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
      this.#growAfter = performance.now() + growPauseMs
      return
    }
    if (!this.#away && !this.#closed) this.#options.log.error({ reason }, 'the database is away')
    this.#away = true
    this.#lostOne = true
    for (const job of this.#queue.expire(() => true)) job.reject(new Unavailable('The database is away', 1))
    this.#drainedIfIdle()
    if (this.#closed || this.#probe) return
    this.#probe = setTimeout(() => {
      this.#probe = null
      if (this.#away && this.#opening === 0) this.#grow()
    }, probeIntervalMs)
  }

  #drainedIfIdle(): void {
    if (this.#running.size === 0 && this.#queue.size === 0) this.#drained?.()
  }

  /** Nobody waits for the answer any more. */
  #stop(connection: RequestConnection, job: Job, now: number): void {
    if (job.cancelledAt === null) {
      job.cancelledAt = now
      connection.cancel()
    } else if (now - job.cancelledAt > cancelIntervalMs) connection.abandon(hungUp())
  }

  #countSlow(): void {
    const now = performance.now()
    let slow = this.#ghosts
    for (const job of this.#running.values()) {
      if (now - job.startedAt > slowAfterMs) slow++
      if (now - job.startedAt > heavyAfterMs) this.#queue.slowDown(job.user, now + rememberSlowMs)
    }
    this.#slow = Math.max(this.#slow, Math.min(slow, this.#options.maxSlow))
  }

  #watch(): void {
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepIntervalMs).unref()
  }

  /** Four times a second instead of a timer a request: who waited too long, what runs too long, what rests too long. */
  #sweep(): void {
    const now = performance.now()
    for (const job of this.#queue.expire(
      (job) => now - job.enqueuedAt > this.#options.acquireMs || job.signal?.aborted === true,
    )) {
      job.reject(new Unavailable('No connection to the database became free in time', 1))
    }
    for (const [connection, job] of this.#running) {
      const ran = now - job.startedAt
      const limit = job.context.timeoutMs * (job.statements.length + 1) + answerGraceMs
      if (ran > limit) connection.destroy()
      else if (job.signal?.aborted && ran > sweepIntervalMs) this.#stop(connection, job, now)
    }
    // Room that was made for slow statements goes away step by step: the next ones may begin just now.
    this.#slow = Math.max(0, this.#slow - 1)
    this.#queue.forgive(now)
    this.#countSlow()
    if (this.#slow > 0) this.#next()
    while (
      this.#idle.length > 0 &&
      this.#size > minIdleConnections &&
      now - (this.#idle[0] as RequestConnection).idleSince > idleTimeoutMs
    ) {
      this.#size--
      this.#idle.shift()?.close()
    }
  }
}
