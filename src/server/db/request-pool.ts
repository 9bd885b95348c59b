import {
  type CallerContext,
  type RequestDatabase,
  type StatementResult,
  type Statement,
  TooManyWaitingError,
  UnavailableError,
} from './as-caller.ts'
import { isConnectionLoss } from './connection-loss.ts'
import { type ConcurrencyLimits, FairQueue } from './fair-queue.ts'
import { clientDisconnectedError, type Job, newJob, errorForJob } from './pool-job.ts'
import { concurrencyLimitsOf, fourFifthsOf, type RequestPoolOptions, withDefaultOptions } from './pool-options.ts'
import { isStalePlan } from './prepared-statements.ts'
import { RequestConnection } from './request-connection.ts'
import { WaitLimit } from './wait-limit.ts'

/** A statement counts as slow after this time (ms): the pool may then open one more connection. */
const slowAfterMs = 150
/**
 * A user whose statement runs longer than this (ms) may run fewer requests, also for `userLimitMs` afterwards. The time is
 * longer than `slowAfterMs`, because ordinary statements may take longer than `slowAfterMs` on a busy machine.
 */
const heavyAfterMs = 500
/** A statement that runs longer than this is logged (ms). */
const logFromMs = 1_000
/** How long a user stays limited after a statement that ran longer than `heavyAfterMs` (ms). */
const userLimitMs = 5_000
/** Number of idle connections that are kept open. Each connection costs the database some megabytes. */
const minIdleConnections = 2
const idleTimeoutMs = 30_000
/** Interval of attempts to reach an unreachable database (ms). */
const probeIntervalMs = 50
/** Interval of `#sweep` (ms). */
const sweepIntervalMs = 250
/** Interval at which the pool checks for an overload and refuses requests that have waited too long (ms). */
const waitCheckIntervalMs = 50
/** Time after which the pool checks for slow statements while requests wait (ms). */
const slowCheckDelayMs = 50
/** Time within which a cancelled statement must end (ms). After it, the connection is cut. */
const cancelTimeoutMs = 1_000
/** How long a statement may still run in PostgreSQL after its connection was cut (ms). PostgreSQL checks each second. */
const cutStatementMs = 1_200
/** Time for which the pool opens no connection after the database has refused one (ms). */
const growPauseMs = 1_000
/**
 * Time that is added to the timeout of a request's statements (ms). After the timeout and this time, the connection is cut,
 * because the database does not answer.
 */
const answerGraceMs = 2_000

/**
 * The connections that requests share. The pool grows when all connections are busy and shrinks when they are idle. A request
 * waits a limited time in a limited queue (`FairQueue`), in which teams take turns, and within a team its users. No user can use
 * all connections:
 * - Each URL path has a limit, in case its table is locked.
 * - Each user may use at most a third of the connections, and each group (such as a network) at most two thirds.
 * - The last fifth of the connections is reserved for users without a running request.
 */
export class RequestPool implements RequestDatabase {
  readonly #options: Required<RequestPoolOptions>
  readonly #idle: RequestConnection[] = []
  readonly #running = new Map<RequestConnection, Job>()
  readonly #queue = new FairQueue<Job>()
  readonly #waitLimit: WaitLimit
  /** Maximum number of connections while statements are slow. */
  readonly #total: number
  readonly #limits: ConcurrencyLimits
  /** Number of connections, including those that are being opened, or were cut and may still run a statement. */
  #size = 0
  /** Number of connections that are being opened. */
  #opening = 0
  #isUnreachable = false
  #hasLostConnection = false
  /** The pool opens no further connection before this time (`performance.now()` ms). */
  #growAfter = 0
  /** Number of connections that the pool may have beyond `maxConnections`, because statements are slow. */
  #extraConnections = 0
  /** Number of statements whose connection was cut and which may still run in PostgreSQL. */
  #cutStatements = 0
  #checkTimer: NodeJS.Timeout | null = null
  #isClosed = false
  /** Whether writes are refused because the disk is full. */
  isReadOnly = false
  #probeTimer: NodeJS.Timeout | null = null
  #sweepTimer: NodeJS.Timeout | null = null
  #waitsTimer: NodeJS.Timeout | null = null
  #onDrained: (() => void) | null = null

  constructor(options: RequestPoolOptions) {
    this.#options = withDefaultOptions(options)
    this.#total = this.#options.maxConnections + this.#options.maxExtraConnections
    this.#limits = concurrencyLimitsOf(this.#options)
    this.#waitLimit = new WaitLimit(this.#options.acquireTimeoutMs, this.#options.log)
  }

  /** Opens the first connections, so that a wrong login is noticed at the start. Rejects if that fails. */
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
    this.#startTimers()
  }

  earlyRefusal(user: string): UnavailableError | null {
    const { startsInTime } = this.#waitLimit
    const isTooLate = startsInTime !== null && this.#queue.isTooLate(user, this.#options.teamOf(user), startsInTime)
    return isTooLate ? this.#waitLimit.refusal(user) : null
  }

  run(context: CallerContext, statements: readonly Statement[], signal?: AbortSignal): Promise<StatementResult[]> {
    if (this.#isClosed) return Promise.reject(new UnavailableError('The server is stopping', 1))
    if (this.#isUnreachable) return Promise.reject(new UnavailableError('The database is unreachable', 1))
    const user = context.user ?? context.role
    const team = this.#options.teamOf(user)
    const { maxWaiting, maxWaitingOfUser } = this.#options
    if (context.role !== 'service_role' && this.#queue.waitingOf(user) >= maxWaitingOfUser)
      return Promise.reject(new TooManyWaitingError(`${maxWaitingOfUser} of your requests are waiting already`, 2))
    if (this.#queue.size >= maxWaiting) {
      const shedJob = this.#queue.shed(user, team)
      if (!shedJob) return Promise.reject(new UnavailableError('Too many requests are waiting', 1))
      shedJob.reject(new TooManyWaitingError('Too many requests are waiting, most of them yours or of your team', 2))
    }
    return new Promise((resolve, reject) => {
      this.#queue.add(newJob({ user, team, context, statements, signal, resolve, reject }))
      this.#startWaitingJobs()
    })
  }

  /** The numbers of busy connections, idle connections and waiting requests. */
  get figures(): { busy: number; idle: number; waiting: number } {
    return { busy: this.#running.size, idle: this.#idle.length, waiting: this.#queue.size }
  }

  /**
   * Whether the database is overloaded, and how many requests were refused since the start because they had waited too long, or
   * would have had to wait too long.
   */
  get overload(): { isOverloaded: boolean; refused: number } {
    const { isOverloaded, refused } = this.#waitLimit
    return { isOverloaded, refused }
  }

  get isUnreachable(): boolean {
    return this.#isUnreachable
  }

  /** Waits for running and queued requests, then closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#running.size > 0 || this.#queue.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve
      })
    }
    if (this.#probeTimer) clearTimeout(this.#probeTimer)
    if (this.#sweepTimer) clearInterval(this.#sweepTimer)
    if (this.#waitsTimer) clearInterval(this.#waitsTimer)
    if (this.#checkTimer) clearTimeout(this.#checkTimer)
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  /** Starts the waiting requests that may run now, as long as a connection is idle. Opens a connection if none is idle and the pool may grow. */
  #startWaitingJobs(): void {
    for (let job = this.#nextRunnable(); job; job = this.#nextRunnable()) {
      if (this.#waitLimit.isExceededBy(job)) {
        this.#queue.discard(job)
        job.reject(this.#waitLimit.refusal(job.user))
        continue
      }
      const connection = this.#idle.pop()
      if (!connection) {
        if (this.#mayGrow()) this.#grow()
        break
      }
      this.#queue.start(job)
      if (job.signal?.aborted) {
        this.#idle.push(connection)
        this.#settle(job, null, clientDisconnectedError())
      } else {
        this.#start(connection, job)
      }
    }
    if (this.#queue.size > 0 && this.#extraConnections < this.#options.maxExtraConnections) this.#checkSoon()
  }

  #nextRunnable(): Job | undefined {
    const limits = this.#limits
    const busy = this.#running.size + this.#cutStatements
    limits.onlyIdleUsers = busy >= fourFifthsOf(this.#total)
    limits.perPath = fourFifthsOf(this.#options.maxConnections + this.#extraConnections)
    return this.#queue.find(limits)
  }

  /** Schedules a check for slow statements. If statements are slow, waiting requests may get another connection. */
  #checkSoon(): void {
    this.#checkTimer ??= setTimeout(() => {
      this.#checkTimer = null
      this.#countSlow()
      this.#startWaitingJobs()
    }, slowCheckDelayMs)
  }

  #start(connection: RequestConnection, job: Job): void {
    job.startedAt = performance.now()
    this.#waitLimit.recordStart(job)
    this.#running.set(connection, job)
    this.#startTimers()
    connection.run(job.context, job.statements, this.isReadOnly).then(
      (results) => this.#finish(connection, job, results, null),
      (error: Error) => this.#finish(connection, job, null, error),
    )
  }

  #finish(connection: RequestConnection, job: Job, results: StatementResult[] | null, error: Error | null): void {
    if (connection.isAbandoned) return this.#keepCounting(connection, job, error ?? clientDisconnectedError())
    if (connection.cancelling) {
      void connection.cancelling.then(() => this.#finish(connection, job, results, error))
      return
    }
    const isLost = error !== null && (connection.isLost || isConnectionLoss(error))
    if (isLost && !connection.isLost) {
      // The error arrived before the 'end' event of the connection. No other request may use this connection.
      connection.close()
      this.#handleLoss(connection)
    }
    this.#returnToIdle(connection)
    this.#logIfSlow(job)
    if (error && !job.isRetry && !isLost && isStalePlan(error)) {
      job.isRetry = true
      this.#queue.done(job)
      this.#queue.add(job)
      this.#startWaitingJobs()
    } else {
      this.#settle(
        job,
        results,
        error && errorForJob(error, job, { isConnectionLost: isLost, isReadOnly: this.isReadOnly }),
      )
    }
  }

  /** Logs a slow statement, without the values of the request, which contain personal data. */
  #logIfSlow({ context: { method, path }, enqueuedAt, startedAt }: Job): void {
    const ms = performance.now() - startedAt
    if (ms < logFromMs) return
    const waitedMs = Math.round(startedAt - enqueuedAt)
    this.#options.log.warn({ method, path, ms: Math.round(ms), waitedMs }, 'slow statement')
  }

  #settle(job: Job, results: StatementResult[] | null, error: Error | null): void {
    this.#queue.done(job)
    if (results) job.resolve(results)
    else job.reject(error as Error)
    this.#startWaitingJobs()
    if (this.#running.size === 0 && this.#queue.size === 0) this.#onDrained?.()
  }

  /**
   * Rejects the job of a cut connection, but counts connection and job as running until PostgreSQL has noticed the cut.
   * Otherwise a client that disconnects again and again would use more than its user's share.
   */
  #keepCounting(connection: RequestConnection, job: Job, error: Error): void {
    this.#running.delete(connection)
    this.#cutStatements++
    job.reject(error)
    setTimeout(() => {
      this.#cutStatements--
      this.#size--
      this.#queue.done(job)
      this.#startWaitingJobs()
      this.#resolveIfDrained()
    }, cutStatementMs).unref()
    this.#resolveIfDrained()
  }

  #returnToIdle(connection: RequestConnection): void {
    this.#running.delete(connection)
    if (connection.isLost) return
    connection.idleSince = performance.now()
    this.#idle.push(connection)
  }

  #mayGrow(): boolean {
    const limit = this.#options.maxConnections + this.#extraConnections
    const wanted = this.#size < limit && this.#opening < this.#queue.size
    return wanted && (this.#size === 0 || performance.now() > this.#growAfter)
  }

  #grow(): void {
    this.#size++
    this.#opening++
    this.#connect().then(
      (connection) => {
        this.#opening--
        if (this.#isClosed && this.#queue.size === 0) return connection.close()
        connection.idleSince = performance.now()
        this.#idle.push(connection)
        return this.#startWaitingJobs()
      },
      (error: Error) => {
        this.#opening--
        this.#size--
        this.#handleConnectFailure(error)
      },
    )
  }

  async #connect(): Promise<RequestConnection> {
    const connection = await RequestConnection.open(this.#options.connection, (lost) => this.#handleLoss(lost))
    this.#isUnreachable = false
    if (this.#hasLostConnection) {
      this.#hasLostConnection = false
      this.#options.onReconnect()
    }
    return connection
  }

  #handleLoss(connection: RequestConnection): void {
    if (connection.isAbandoned) return
    this.#size--
    this.#hasLostConnection = true
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    // Connect at once, without waiting for a request, to find out whether only this connection was lost or the database
    // is unreachable.
    if (!this.#isClosed && this.#size === 0 && this.#opening === 0 && !this.#isUnreachable) this.#grow()
  }

  /** Handles a failed connect. If the database is unreachable, rejects the waiting requests and tries again until it answers. */
  #handleConnectFailure(error: Error): void {
    const reason = error.message
    if (this.#size > 0 && !isConnectionLoss(error)) {
      // The database answers, but refuses a further connection, usually because its maximum number is reached. The existing
      // connections continue to work.
      if (performance.now() > this.#growAfter)
        this.#options.log.warn(
          { reason },
          'the database refuses a further connection: raise its max_connections if this repeats',
        )
      this.#growAfter = performance.now() + growPauseMs
      return
    }
    if (!this.#isUnreachable && !this.#isClosed)
      this.#options.log.error({ reason }, 'the database is unreachable: trying again')
    this.#isUnreachable = true
    this.#hasLostConnection = true
    for (const job of this.#queue.expire(() => true)) job.reject(new UnavailableError('The database is unreachable', 1))
    this.#resolveIfDrained()
    if (this.#isClosed || this.#probeTimer) return
    this.#probeTimer = setTimeout(() => {
      this.#probeTimer = null
      if (this.#isUnreachable && this.#opening === 0) this.#grow()
    }, probeIntervalMs)
  }

  #resolveIfDrained(): void {
    if (this.#running.size === 0 && this.#queue.size === 0) this.#onDrained?.()
  }

  /** Cancels a statement whose client has disconnected. Cuts the connection if the statement does not end in time. */
  #stopStatement(connection: RequestConnection, job: Job, now: number): void {
    if (job.cancelledAt === null) {
      job.cancelledAt = now
      connection.cancel()
    } else if (now - job.cancelledAt > cancelTimeoutMs) connection.abandon(clientDisconnectedError())
  }

  /** Counts the slow statements, allows as many additional connections, and limits the users of the slowest statements. */
  #countSlow(): void {
    const now = performance.now()
    let slow = this.#cutStatements
    for (const job of this.#running.values()) {
      if (now - job.startedAt > slowAfterMs) slow++
      if (now - job.startedAt > heavyAfterMs) this.#queue.limitUser(job.user, now + userLimitMs)
    }
    this.#extraConnections = Math.max(this.#extraConnections, Math.min(slow, this.#options.maxExtraConnections))
  }

  #refuseLate(): void {
    this.#waitLimit.judge(this.#queue.size)
    for (const job of this.#queue.expire((late) => this.#waitLimit.isExceededBy(late)))
      job.reject(this.#waitLimit.refusal(job.user))
  }

  #startTimers(): void {
    this.#sweepTimer ??= setInterval(() => this.#sweep(), sweepIntervalMs).unref()
    this.#waitsTimer ??= setInterval(() => this.#refuseLate(), waitCheckIntervalMs).unref()
  }

  /**
   * Ends waiting and running requests of disconnected clients, statements that run too long, and connections that are idle
   * too long. Runs four times a second, which is cheaper than a timer per request.
   */
  #sweep(): void {
    const now = performance.now()
    for (const job of this.#queue.expire(({ signal }) => signal?.aborted === true))
      job.reject(clientDisconnectedError())
    for (const [connection, job] of this.#running) {
      const ranMs = now - job.startedAt
      const limitMs = job.context.timeoutMs * (job.statements.length + 1) + answerGraceMs
      if (ranMs > limitMs) connection.destroy()
      else if (job.signal?.aborted && ranMs > sweepIntervalMs) this.#stopStatement(connection, job, now)
    }
    // The number of additional connections decreases one by one, because the next slow statements may start soon.
    this.#extraConnections = Math.max(0, this.#extraConnections - 1)
    this.#queue.expireLimits(now)
    this.#countSlow()
    if (this.#extraConnections > 0) this.#startWaitingJobs()
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
