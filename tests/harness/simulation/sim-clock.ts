import type { Clock, Timer } from '#web/data/browser/surroundings.ts'

interface ScheduledTimer {
  /** When the timer is due (ms on the clock of `elapsed`). */
  at: number
  /** The interval (ms). Null for a timer that runs once. */
  every: number | null
  run: () => void
}

/** A clock that runs only when `advance` is called, and whose time of day can jump. */
export class SimClock implements Clock {
  private readonly timers = new Map<number, ScheduledTimer>()
  private elapsedMs = 0
  private lastTimerId = 0
  private isStopped = false

  constructor(private startMs: number) {}

  now(): number {
    return this.startMs + this.elapsedMs
  }

  elapsed(): number {
    return this.elapsedMs
  }

  setTimeout(run: () => void, milliseconds: number): Timer {
    return this.add(run, milliseconds, null)
  }

  setInterval(run: () => void, milliseconds: number): Timer {
    return this.add(run, milliseconds, milliseconds)
  }

  clearTimeout(timer: Timer | undefined): void {
    this.timers.delete(timer as unknown as number)
  }

  clearInterval(timer: Timer | undefined): void {
    this.clearTimeout(timer)
  }

  /** Changes the time of day, as if the person or the device set the clock. Runs no timer. */
  jump(milliseconds: number): void {
    this.startMs += milliseconds
  }

  /** Stops all timers, as after the page was killed. */
  stop(): void {
    this.isStopped = true
    this.timers.clear()
  }

  /** Advances the time, and runs the timers that are due, in their order. */
  advance(milliseconds: number): void {
    const end = this.elapsedMs + milliseconds
    for (;;) {
      const [due] = [...this.timers]
        .filter(([, { at }]) => at <= end)
        .sort(([a, one], [b, other]) => one.at - other.at || a - b)
      if (!due) break
      const [id, timer] = due
      this.elapsedMs = Math.max(this.elapsedMs, timer.at)
      if (timer.every === null) this.timers.delete(id)
      else timer.at += Math.max(1, timer.every)
      timer.run()
    }
    this.elapsedMs = end
  }

  private add(run: () => void, milliseconds: number, everyMs: number | null): Timer {
    this.lastTimerId += 1
    if (!this.isStopped)
      this.timers.set(this.lastTimerId, { at: this.elapsedMs + Math.max(0, milliseconds), every: everyMs, run })
    return this.lastTimerId as unknown as Timer
  }
}
