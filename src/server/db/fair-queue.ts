/** A job in the queue, with the properties that decide when it runs. */
export interface QueuedJob {
  user: string
  /**
   * The team to which the user belongs. The users of a team share its turns. A user is in one team at a time: the team of
   * the user's newest job.
   */
  team: string
  path: string
  /** The groups to which the user belongs, such as a network. Each group has a limit on running jobs. */
  groups: readonly string[]
  /** Jobs with the same key run one after another. Null: the job need not wait for any other job. */
  serialKey: string | null
  /**
   * The time from which the job could run if a connection were free (`performance.now()` ms). The queue sets it again for a
   * job that had to wait for an earlier job of its serial key.
   */
  readyAt: number
}

/** How many jobs may run at the same time. */
export interface ConcurrencyLimits {
  perUser: number
  /**
   * If this many jobs of a user run, the user may start a job only on a path on which no other job of the user runs.
   * This limit leaves connections for the user's other paths if tables are locked.
   */
  perUserOnUsedPaths: number
  /** Like `perUserOnUsedPaths`, but for a user whose jobs were slow recently. */
  perSlowUser: number
  perPath: number
  perGroup: number
  /** Whether only users without a running job may start one. The last connections are reserved for them. */
  onlyIdleUsers: boolean
}

interface UserQueue<Job> {
  team: string
  /** Number of waiting jobs, including those that wait for an earlier job of their serial key. */
  waiting: number
  running: number
  runningPaths: Tally
  paths: Map<string, Job[]>
}

interface Team<Job> {
  waiting: number
  users: Map<string, UserQueue<Job>>
}

/**
 * The queue of waiting jobs. Teams take turns, then the users of a team, then the paths of a user, so a team of many
 * users gets no more turns than a team of few. No user, path or group has more running jobs than its limit. So a user
 * with many requests, or with slow ones (for example on a locked table), cannot use all connections.
 */
export class FairQueue<Job extends QueuedJob> {
  /**
   * The teams in the order of their turns. A Map keeps insertion order. When a job starts, its team moves to the end of this
   * Map, and its user to the end of the team's `users`.
   */
  readonly #teams = new Map<string, Team<Job>>()
  readonly #users = new Map<string, UserQueue<Job>>()
  readonly #runningPaths = new Tally()
  readonly #runningGroups = new Tally()
  /** The jobs that wait for an earlier job, by their serial key. A key with an empty list has one job, which is ready or runs. */
  readonly #bySerialKey = new Map<string, Job[]>()
  /** The users with slow jobs, and the time until which they are limited (`performance.now()` ms). */
  readonly #slowUsers = new Map<string, number>()
  #size = 0

  /** Number of waiting jobs. */
  get size(): number {
    return this.#size
  }

  waitingOf(user: string): number {
    return this.#users.get(user)?.waiting ?? 0
  }

  /**
   * Whether one more job of this user would start too late. `startsInTime` is how many jobs will start in time; teams
   * share these starts equally, and so do the users of a team. Returns true if the waiting jobs of the team and of the
   * user use up their shares.
   */
  isTooLate(user: string, team: string, startsInTime: number): boolean {
    const queue = this.#users.get(user)
    const teamQueue = this.#teams.get(queue?.team ?? team)
    if (!queue || !teamQueue) return false
    const shareOfTeam = startsInTime / this.#teams.size
    return teamQueue.waiting >= shareOfTeam && queue.waiting >= Math.max(1, shareOfTeam / teamQueue.users.size)
  }

  /** Limits how many jobs a user with a slow job may run, until the given time (`performance.now()` ms). */
  limitUser(user: string, until: number): void {
    this.#slowUsers.set(user, until)
  }

  /** Ends the limits (`limitUser`) whose time has passed at `now`. */
  expireLimits(now: number): void {
    for (const [user, until] of this.#slowUsers) if (until < now) this.#slowUsers.delete(user)
  }

  add(job: Job): void {
    const queue = this.#queueOf(job.user, job.team)
    this.#count(queue, 1)
    const waiting = job.serialKey === null ? undefined : this.#bySerialKey.get(job.serialKey)
    if (waiting) {
      waiting.push(job)
      return
    }
    if (job.serialKey !== null) this.#bySerialKey.set(job.serialKey, [])
    enqueue(queue, job)
  }

  /** Returns the next job that may run now, or undefined if there is none. The job stays in the queue until `start`. */
  find(limits: ConcurrencyLimits): Job | undefined {
    if (this.#size === 0) return undefined
    for (const { users } of this.#teams.values()) {
      for (const [user, queue] of users) {
        const job = this.#runnableOf(user, queue, limits)
        if (job) return job
      }
    }
    return undefined
  }

  /** Takes a job out of the queue, and counts it as running until `done`. The job must be one that `find` has just returned. */
  start(job: Job): void {
    const queue = this.#queueOf(job.user)
    const jobs = queue.paths.get(job.path) as Job[]
    jobs.shift()
    // The path moves to the end of the user's paths, the user to the end of the team, the team to the end of all teams.
    queue.paths.delete(job.path)
    if (jobs.length > 0) queue.paths.set(job.path, jobs)
    moveToEnd((this.#teams.get(queue.team) as Team<Job>).users, job.user)
    moveToEnd(this.#teams, queue.team)
    this.#count(queue, -1)
    queue.running++
    queue.runningPaths.add(job.path, 1)
    this.#runningPaths.add(job.path, 1)
    for (const group of job.groups) this.#runningGroups.add(group, 1)
  }

  done(job: Job): void {
    const queue = this.#queueOf(job.user)
    queue.running--
    queue.runningPaths.add(job.path, -1)
    this.#runningPaths.add(job.path, -1)
    for (const group of job.groups) this.#runningGroups.add(group, -1)
    this.#enqueueNextOf(job)
    this.#removeIfEmpty(job.user, queue)
  }

  /**
   * Makes room for a job of `user` when the queue is full. Finds the team with the most waiting jobs, and in it the user with
   * the most. Removes and returns a job of the found user (see `#newestOf`). Removes nothing and returns undefined:
   * - if the found team is not `team`, and has fewer than two waiting jobs more than `team`,
   * - if the found team is `team`, and the found user has fewer than two waiting jobs more than `user`.
   */
  shed(user: string, team: string): Job | undefined {
    const ownWaiting = this.#teams.get(team)?.waiting ?? 0
    let longest = { name: team, waiting: ownWaiting }
    for (const [name, { waiting }] of this.#teams) if (waiting > longest.waiting) longest = { name, waiting }
    if (longest.name !== team && longest.waiting <= ownWaiting + 1) return undefined
    let mostWaiting = longest.name === team ? this.waitingOf(user) + 1 : 0
    let longestUser: string | undefined
    for (const [name, { waiting }] of this.#teams.get(longest.name)?.users ?? []) {
      if (waiting <= mostWaiting) continue
      mostWaiting = waiting
      longestUser = name
    }
    const newest = longestUser === undefined ? undefined : this.#newestOf(longestUser)
    if (newest) this.#remove(newest)
    return newest
  }

  /** Removes a waiting job from the queue. */
  discard(job: Job): void {
    this.#remove(job)
  }

  /** Removes and returns all jobs for which `isExpired` is true. */
  expire(isExpired: (job: Job) => boolean): Job[] {
    if (this.#size === 0) return []
    const expired: Job[] = []
    for (const jobs of this.#bySerialKey.values()) expired.push(...jobs.filter(isExpired))
    for (const queue of this.#users.values())
      for (const jobs of queue.paths.values()) expired.push(...jobs.filter(isExpired))
    for (const job of expired) this.#remove(job)
    return expired
  }

  #runnableOf(user: string, queue: UserQueue<Job>, limits: ConcurrencyLimits): Job | undefined {
    if (queue.paths.size === 0 || queue.running >= limits.perUser) return undefined
    const limitOnUsedPaths = this.#slowUsers.has(user) ? limits.perSlowUser : limits.perUserOnUsedPaths
    const onlyUnusedPaths = queue.running >= limitOnUsedPaths
    if (limits.onlyIdleUsers && queue.running > 0) return undefined
    for (const [path, jobs] of queue.paths) {
      if (onlyUnusedPaths && queue.runningPaths.of(path) > 0) continue
      if (this.#runningPaths.of(path) >= limits.perPath) continue
      const job = jobs[0] as Job
      if (job.groups.every((group) => this.#runningGroups.of(group) < limits.perGroup)) return job
    }
    return undefined
  }

  /**
   * Returns the newest job on one path of the user: the path whose turn comes last. Returns a job that waits for an earlier
   * job of its serial key only if the user has no other job.
   */
  #newestOf(user: string): Job | undefined {
    const ready = Array.from(this.#queueOf(user).paths.values()).at(-1)?.at(-1)
    if (ready) return ready
    for (const jobs of this.#bySerialKey.values()) {
      const newest = jobs.findLast((job) => job.user === user)
      if (newest) return newest
    }
    return undefined
  }

  /** Removes a job that waits for a connection, or for an earlier job of its serial key. */
  #remove(job: Job): void {
    const queue = this.#queueOf(job.user)
    const jobs = queue.paths.get(job.path)
    if (jobs && removeFrom(jobs, job)) {
      if (jobs.length === 0) queue.paths.delete(job.path)
      this.#enqueueNextOf(job)
    } else if (job.serialKey !== null) removeFrom(this.#bySerialKey.get(job.serialKey) ?? [], job)
    this.#count(queue, -1)
    this.#removeIfEmpty(job.user, queue)
  }

  /** Makes the next job with the same serial key ready to run. */
  #enqueueNextOf({ serialKey }: Job): void {
    if (serialKey === null) return
    const next = this.#bySerialKey.get(serialKey)?.shift()
    if (next) {
      next.readyAt = performance.now()
      enqueue(this.#queueOf(next.user), next)
    } else this.#bySerialKey.delete(serialKey)
  }

  /** Returns the user's queue, and creates it if it is missing. If a team is given, moves the user to that team. */
  #queueOf(user: string, teamName?: string): UserQueue<Job> {
    const existing = this.#users.get(user)
    if (existing && (teamName === undefined || existing.team === teamName)) return existing
    const queue = existing ?? { team: user, waiting: 0, running: 0, runningPaths: new Tally(), paths: new Map() }
    if (existing) this.#leaveTeam(user, existing)
    queue.team = teamName ?? user
    const team = this.#teams.get(queue.team) ?? { waiting: 0, users: new Map() }
    team.waiting += queue.waiting
    team.users.set(user, queue)
    this.#teams.set(queue.team, team)
    this.#users.set(user, queue)
    return queue
  }

  #count(queue: UserQueue<Job>, change: 1 | -1): void {
    queue.waiting += change
    this.#size += change
    const team = this.#teams.get(queue.team)
    if (team) team.waiting += change
  }

  #removeIfEmpty(user: string, queue: UserQueue<Job>): void {
    if (queue.running > 0 || queue.waiting > 0) return
    this.#users.delete(user)
    this.#leaveTeam(user, queue)
  }

  #leaveTeam(user: string, queue: UserQueue<Job>): void {
    const team = this.#teams.get(queue.team)
    if (!team) return
    team.waiting -= queue.waiting
    team.users.delete(user)
    if (team.users.size === 0) this.#teams.delete(queue.team)
  }
}

/** A counter for each key, which goes up and down by one. A key with count 0 is removed. */
class Tally {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, change: 1 | -1): void {
    const count = this.of(name) + change
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

function enqueue<Job extends QueuedJob>(queue: UserQueue<Job>, job: Job): void {
  const jobs = queue.paths.get(job.path)
  if (jobs) jobs.push(job)
  else queue.paths.set(job.path, [job])
}

/** Removes a job from a list. Returns whether the job was in the list. */
function removeFrom<Job>(jobs: Job[], job: Job): boolean {
  const at = jobs.indexOf(job)
  if (at >= 0) jobs.splice(at, 1)
  return at >= 0
}
