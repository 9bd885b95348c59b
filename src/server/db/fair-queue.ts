/**
 * What waits, by path: paths take turns, and none has more than `perPath` running at once. Whoever is slow (a locked
 * table) fills its own line and not everybody's.
 */
export class FairQueue<Job> {
  readonly #perPath: number
  readonly #lines = new Map<string, Line<Job>>()
  #size = 0

  constructor(perPath: number) {
    this.#perPath = perPath
  }

  /** How many wait. */
  get size(): number {
    return this.#size
  }

  add(path: string, job: Job): void {
    let line = this.#lines.get(path)
    if (!line) {
      line = { waiting: [], running: 0 }
      this.#lines.set(path, line)
    }
    line.waiting.push(job)
    this.#size++
  }

  /** The next that may run, counted as running until `done`; undefined where every line that waits runs at its limit. */
  take(): Job | undefined {
    for (const [path, line] of this.#lines) {
      if (line.waiting.length === 0 || line.running >= this.#perPath) continue
      line.running++
      this.#size--
      // Its next one comes after the other paths': a Map is walked in the order of insertion.
      if (this.#lines.size > 1) {
        this.#lines.delete(path)
        this.#lines.set(path, line)
      }
      return line.waiting.shift()
    }
    return undefined
  }

  done(path: string): void {
    const line = this.#lines.get(path)
    if (!line) return
    line.running--
    this.#forgetIfEmpty(path, line)
  }

  /** Takes out one that waits, without running it. */
  drop(): Job | undefined {
    for (const [path, line] of this.#lines) {
      const job = line.waiting.shift()
      if (job === undefined) continue
      this.#size--
      this.#forgetIfEmpty(path, line)
      return job
    }
    return undefined
  }

  /** Takes out all that `isOver`. */
  expire(isOver: (job: Job) => boolean): Job[] {
    if (this.#size === 0) return []
    const over: Job[] = []
    for (const [path, line] of this.#lines) {
      line.waiting = line.waiting.filter((job) => {
        if (!isOver(job)) return true
        over.push(job)
        return false
      })
      this.#forgetIfEmpty(path, line)
    }
    this.#size -= over.length
    return over
  }

  #forgetIfEmpty(path: string, line: Line<Job>): void {
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(path)
  }
}

interface Line<Job> {
  waiting: Job[]
  running: number
}
