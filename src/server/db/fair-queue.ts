/** The team, user, groups, path and serial by which a job is scheduled. */
export interface Share {
  user: string
  /** Users of one team share its turns. A user is in one team at a time, that of the newest job. */
  team: string
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
  team: string
  /** Waiting jobs, including those that wait for their serial. */
  waiting: number
  running: number
  runningPaths: Tally
  paths: Map<string, Job[]>
}

interface Team<Job> {
  waiting: number
  users: Map<string, UserLine<Job>>
}

/**
 * The queue of waiting jobs. Teams take turns, then the users of a team, then the paths of a user: a team of many users has no more turns than one
 * of few. No user, path or group runs more jobs than its limit, so a user with many or slow requests (a locked table) delays only their own.
 */
export class FairQueue<Job extends Share> {
  /** In order of turns: a Map keeps insertion order, and a team and a user whose job was started move to the end. */
  readonly #teams = new Map<string, Team<Job>>()
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

  /**
   * Whether a further job of this user would come too late: of so many jobs that start in time the others of the team and of the user take all
   * that are theirs.
   */
  isTooLate(user: string, team: string, inTime: number): boolean {
    const line = this.#users.get(user)
    const present = this.#teams.get(line?.team ?? team)
    if (!line || !present) return false
    const ofTeam = inTime / this.#teams.size
    return present.waiting >= ofTeam && line.waiting >= Math.max(1, ofTeam / present.users.size)
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
    const line = this.#lineOf(job.user, job.team)
    this.#count(line, 1)
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
    for (const { users } of this.#teams.values()) {
      for (const [user, line] of users) {
        const job = this.#runnableOf(user, line, caps)
        if (job) return job
      }
    }
    return undefined
  }

  /** Removes a found job from the queue and counts it as running until `done`. */
  start(job: Job): void {
    const line = this.#lineOf(job.user)
    const jobs = line.paths.get(job.path) as Job[]
    jobs.shift()
    // The user's other paths come next, before them the other users, and before these the other teams.
    line.paths.delete(job.path)
    if (jobs.length > 0) line.paths.set(job.path, jobs)
    moveToEnd((this.#teams.get(line.team) as Team<Job>).users, job.user)
    moveToEnd(this.#teams, line.team)
    this.#count(line, -1)
    line.running++
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

  /**
   * Removes the newest job of the team with the most waiting jobs, of its user with the most, if these are more than those of the user's own team. In
   * their own team the same counts among the users.
   */
  shed(user: string, team: string): Job | undefined {
    const own = this.#teams.get(team)?.waiting ?? 0
    let longest = { name: team, waiting: own }
    for (const [name, { waiting }] of this.#teams) if (waiting > longest.waiting) longest = { name, waiting }
    if (longest.name !== team && longest.waiting <= own + 1) return undefined
    let most = longest.name === team ? this.waitingOf(user) + 1 : 0
    let name: string | undefined
    for (const [one, { waiting }] of this.#teams.get(longest.name)?.users ?? []) {
      if (waiting <= most) continue
      most = waiting
      name = one
    }
    const newest = name === undefined ? undefined : this.#newestOf(name)
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

  #runnableOf(user: string, line: UserLine<Job>, caps: Caps): Job | undefined {
    if (line.paths.size === 0 || line.running >= caps.perUser) return undefined
    const isSlow = line.running >= caps.perSlowUser && this.#slow.has(user)
    if (caps.onlyIdleUsers && line.running > 0) return undefined
    for (const [path, jobs] of line.paths) {
      if (isSlow && line.runningPaths.of(path) > 0) continue
      if (this.#runningPaths.of(path) >= caps.perPath || line.runningPaths.of(path) >= caps.perPathOfUser) continue
      const job = jobs[0] as Job
      if (job.groups.every((group) => this.#runningGroups.of(group) < caps.perGroup)) return job
    }
    return undefined
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
    this.#count(line, -1)
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

  /** The user's line, in the team that is given, else in the one where it is. */
  #lineOf(user: string, name?: string): UserLine<Job> {
    const present = this.#users.get(user)
    if (present && (name === undefined || present.team === name)) return present
    const line = present ?? { team: user, waiting: 0, running: 0, runningPaths: new Tally(), paths: new Map() }
    if (present) this.#leaveTeam(user, present)
    line.team = name ?? user
    const team = this.#teams.get(line.team) ?? { waiting: 0, users: new Map() }
    team.waiting += line.waiting
    team.users.set(user, line)
    this.#teams.set(line.team, team)
    this.#users.set(user, line)
    return line
  }

  #count(line: UserLine<Job>, change: 1 | -1): void {
    line.waiting += change
    this.#size += change
    const team = this.#teams.get(line.team)
    if (team) team.waiting += change
  }

  #forgetIfEmpty(user: string, line: UserLine<Job>): void {
    if (line.running > 0 || line.waiting > 0) return
    this.#users.delete(user)
    this.#leaveTeam(user, line)
  }

  #leaveTeam(user: string, line: UserLine<Job>): void {
    const team = this.#teams.get(line.team)
    if (!team) return
    team.waiting -= line.waiting
    team.users.delete(user)
    if (team.users.size === 0) this.#teams.delete(line.team)
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

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key)
  if (map.size < 2 || value === undefined) return
  map.delete(key)
  map.set(key, value)
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
