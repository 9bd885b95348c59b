/** Whom a job belongs to, and what it is likely to wait for. */
export interface Share {
  user: string
  path: string
  /** What several users have in common (a network, a group): together they have a bounded part, too. */
  groups: readonly string[]
  /** Jobs of one serial run one after the other; null: beside any other. */
  serial: string | null
}

/** How many may run at once. */
export interface Caps {
  perUser: number
  /** Of a user whose jobs were slow lately; beyond it one a path, so that one slow path is not all they have. */
  perSlowUser: number
  /** Of one user: what is locked leaves them their other paths. */
  perPathOfUser: number
  perPath: number
  perGroup: number
  /** Only for users of whom nothing runs: the last connections are theirs. */
  onlyNewcomers: boolean
}

interface UserLine<Job> {
  /** Those that wait for their serial included. */
  waiting: number
  running: number
  runningPaths: Tally
  paths: Map<string, Job[]>
}

/**
 * What waits. Users take turns, and within a user their paths; none of them, and no group, has more than its cap running.
 * So whoever asks for much, or for something slow (a locked table), waits in a line of their own.
 */
export class FairQueue<Job extends Share> {
  /** A Map is walked in the order of insertion: whoever was served goes to its end. */
  readonly #users = new Map<string, UserLine<Job>>()
  readonly #runningPaths = new Tally()
  readonly #runningGroups = new Tally()
  /** Those that wait until the first of their serial is done. */
  readonly #serials = new Map<string, Job[]>()
  /** Users whose jobs were slow, and until when that counts. */
  readonly #slow = new Map<string, number>()
  #size = 0

  /** How many wait. */
  get size(): number {
    return this.#size
  }

  waitingOf(user: string): number {
    return this.#users.get(user)?.waiting ?? 0
  }

  /** A job of this user is slow: for a while the user gets fewer places. Milliseconds of `performance.now()`. */
  slowDown(user: string, until: number): void {
    this.#slow.set(user, until)
  }

  /** Forgets who was slow before. */
  forgive(now: number): void {
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

  /** The next that may run now; it waits on until `start`. */
  find(caps: Caps): Job | undefined {
    if (this.#size === 0) return undefined
    for (const [user, line] of this.#users) {
      if (line.paths.size === 0 || line.running >= caps.perUser) continue
      const isSlow = line.running >= caps.perSlowUser && this.#slow.has(user)
      if (caps.onlyNewcomers && line.running > 0) continue
      for (const [path, jobs] of line.paths) {
        if (isSlow && line.runningPaths.of(path) > 0) continue
        if (this.#runningPaths.of(path) >= caps.perPath || line.runningPaths.of(path) >= caps.perPathOfUser) continue
        const job = jobs[0] as Job
        if (job.groups.every((group) => this.#runningGroups.of(group) < caps.perGroup)) return job
      }
    }
    return undefined
  }

  /** What `find` gave counts as running until `done`. */
  start(job: Job): void {
    const line = this.#lineOf(job.user)
    const jobs = line.paths.get(job.path) as Job[]
    jobs.shift()
    // The user's other paths come next, and the other users before that.
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

  /** Takes out the newest of whoever waits for most, where that is more than what `user` waits for. */
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

  /** Takes out all that `isOver`. */
  expire(isOver: (job: Job) => boolean): Job[] {
    if (this.#size === 0) return []
    const over: Job[] = []
    for (const jobs of this.#serials.values()) over.push(...jobs.filter(isOver))
    for (const line of this.#users.values()) for (const jobs of line.paths.values()) over.push(...jobs.filter(isOver))
    for (const job of over) this.#remove(job)
    return over
  }

  /** One that waits for another of its serial only where none waits for a place. */
  #newestOf(user: string): Job | undefined {
    const ready = Array.from(this.#lineOf(user).paths.values()).at(-1)?.at(-1)
    if (ready) return ready
    for (const jobs of this.#serials.values()) {
      const newest = jobs.findLast((job) => job.user === user)
      if (newest) return newest
    }
    return undefined
  }

  /** Takes out one that waits, or that waits for another. */
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

  /** The next of its serial may run. */
  #release({ serial }: Job): void {
    if (serial === null) return
    const next = this.#serials.get(serial)?.shift()
    if (next) enqueue(this.#lineOf(next.user), next)
    else this.#serials.delete(serial)
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

/** How often something is there. */
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
