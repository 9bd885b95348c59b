/** The user, groups, path and serial by which a job is scheduled. */
export interface Share {
  user: string
  path: string
  /** Groups of users (a network, a group), each with a limit of its own. */
  groups: readonly string[]
  /** Jobs of one serial run one after another; null: no such limit. */
  serial: string | null
  /** Since when only a place is missing: set by the queue for a job that waited for its serial (`performance.now()` ms). */
  readyAt: number
}

/** How many jobs may run at the same time. */
export interface Caps {
  perUser: number
  /**
   * For a user whose jobs were slow recently, with at most one per path, so that one slow path does not use all their
   * places.
   */
  perSlowUser: number
  /** For one path of one user, so that a locked table leaves places for the user's other paths. */
  perPathOfUser: number
  perPath: number
  perGroup: number
  /** Only users without a running job may start one: the last connections are reserved for them. */
  onlyIdleUsers: boolean
}

interface UserLine<Job> {
  /** Waiting jobs, including those that wait for their serial. */
  waiting: number
  running: number
  runningPaths: Tally
  paths: Map<string, Job[]>
}

/**
 * The queue of waiting jobs. Users take turns, and so do the paths of one user. No user, path or group runs more jobs
 * than its limit, so a user with many or slow requests (a locked table) delays only their own.
 */
export class FairQueue<Job extends Share> {
  /** In order of turns: a Map keeps insertion order, and a user whose job was started moves to the end. */
  readonly #users = new Map<string, UserLine<Job>>()
  readonly #runningPaths = new Tally()
  readonly #runningGroups = new Tally()
  /** Jobs that wait until the first of their serial is done. */
  readonly #serials = new Map<string, Job[]>()
  /** Users with recent slow jobs, and until when they are limited. */
  readonly #slow = new Map<string, number>()
  #size = 0

  /** Number of waiting jobs. */
  get size(): number {
    return this.#size
  }

  waitingOf(user: string): number {
    return this.#users.get(user)?.waiting ?? 0
  }

  /** Limits a user with a slow job until the given time (`performance.now()` ms). */
  limitUser(user: string, until: number): void {
    this.#slow.set(user, until)
  }

  /** Ends the limits that have expired. */
  expireLimits(now: number): void {
    for (const [user, until] of this.#slow) if (until < now) this.#slow.delete(user)
  }

  add(job: Job): void {
    const line = this.#lineOf(job.user)
    line.waiting++
    this.#size++
    const before = job.serial === null ? undefined : this.#serials.get(job.serial)
    if (before) {
      before.push(job)
      return
    }
    if (job.serial !== null) this.#serials.set(job.serial, [])
    enqueue(line, job)
  }

  /** The next job that may run now. It stays in the queue until `start`. */
  find(caps: Caps): Job | undefined {
    if (this.#size === 0) return undefined
    for (const [user, line] of this.#users) {
      if (line.paths.size === 0 || line.running >= caps.perUser) continue
      const isSlow = line.running >= caps.perSlowUser && this.#slow.has(user)
      if (caps.onlyIdleUsers && line.running > 0) continue
      for (const [path, jobs] of line.paths) {
        if (isSlow && line.runningPaths.of(path) > 0) continue
        if (this.#runningPaths.of(path) >= caps.perPath || line.runningPaths.of(path) >= caps.perPathOfUser) continue
        const job = jobs[0] as Job
        if (job.groups.every((group) => this.#runningGroups.of(group) < caps.perGroup)) return job
      }
    }
    return undefined
  }

  /** Removes a found job from the queue and counts it as running until `done`. */
  start(job: Job): void {
    const line = this.#lineOf(job.user)
    const jobs = line.paths.get(job.path) as Job[]
    jobs.shift()
    // The user's other paths come next, and the other users before them.
    line.paths.delete(job.path)
    if (jobs.length > 0) line.paths.set(job.path, jobs)
    if (this.#users.size > 1) {
      this.#users.delete(job.user)
      this.#users.set(job.user, line)
    }
    line.waiting--
    line.running++
    this.#size--
    line.runningPaths.add(job.path, 1)
    this.#runningPaths.add(job.path, 1)
    for (const group of job.groups) this.#runningGroups.add(group, 1)
  }

  done(job: Job): void {
    const line = this.#lineOf(job.user)
    line.running--
    line.runningPaths.add(job.path, -1)
    this.#runningPaths.add(job.path, -1)
    for (const group of job.groups) this.#runningGroups.add(group, -1)
    this.#release(job)
    this.#forgetIfEmpty(job.user, line)
  }

  /** Removes the newest job of the user with the most waiting jobs, if they are more than those of `user`. */
  shed(user: string): Job | undefined {
    let most = this.waitingOf(user) + 1
    let longest: string | undefined
    for (const [name, { waiting }] of this.#users) {
      if (waiting <= most) continue
      most = waiting
      longest = name
    }
    const newest = longest === undefined ? undefined : this.#newestOf(longest)
    if (newest) this.#remove(newest)
    return newest
  }

  /** Removes a waiting job. */
  discard(job: Job): void {
    this.#remove(job)
  }

  /** Removes and returns all jobs for which `isExpired` is true. */
  expire(isExpired: (job: Job) => boolean): Job[] {
    if (this.#size === 0) return []
    const over: Job[] = []
    for (const jobs of this.#serials.values()) over.push(...jobs.filter(isExpired))
    for (const line of this.#users.values())
      for (const jobs of line.paths.values()) over.push(...jobs.filter(isExpired))
    for (const job of over) this.#remove(job)
    return over
  }

  /** The user's newest job. One that waits for its serial is returned only if no job waits for a place. */
  #newestOf(user: string): Job | undefined {
    const ready = Array.from(this.#lineOf(user).paths.values()).at(-1)?.at(-1)
    if (ready) return ready
    for (const jobs of this.#serials.values()) {
      const newest = jobs.findLast((job) => job.user === user)
      if (newest) return newest
    }
    return undefined
  }

  /** Removes a job, whether it waits for a place or for its serial. */
  #remove(job: Job): void {
    const line = this.#lineOf(job.user)
    const jobs = line.paths.get(job.path)
    if (jobs && takeOut(jobs, job)) {
      if (jobs.length === 0) line.paths.delete(job.path)
      this.#release(job)
    } else if (job.serial !== null) takeOut(this.#serials.get(job.serial) ?? [], job)
    line.waiting--
    this.#size--
    this.#forgetIfEmpty(job.user, line)
  }

  /** Makes the next job of the serial ready. */
  #release({ serial }: Job): void {
    if (serial === null) return
    const next = this.#serials.get(serial)?.shift()
    if (next) {
      next.readyAt = performance.now()
      enqueue(this.#lineOf(next.user), next)
    } else this.#serials.delete(serial)
  }

  #lineOf(user: string): UserLine<Job> {
    let line = this.#users.get(user)
    if (!line) {
      line = { waiting: 0, running: 0, runningPaths: new Tally(), paths: new Map() }
      this.#users.set(user, line)
    }
    return line
  }

  #forgetIfEmpty(user: string, line: UserLine<Job>): void {
    if (line.running === 0 && line.waiting === 0) this.#users.delete(user)
  }
}

/** Counts of keys; a key with count 0 is removed. */
class Tally {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, more: 1 | -1): void {
    const count = this.of(name) + more
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}

function enqueue<Job extends Share>(line: UserLine<Job>, job: Job): void {
  const jobs = line.paths.get(job.path)
  if (jobs) jobs.push(job)
  else line.paths.set(job.path, [job])
}

function takeOut<Job>(jobs: Job[], job: Job): boolean {
  const at = jobs.indexOf(job)
  if (at >= 0) jobs.splice(at, 1)
  return at >= 0
}
