import type { Clock, Timer } from '#web/data/browser/surroundings.ts'

interface ScheduledTimer {
  at: number
  every: number | null
  run: () => void
}

/** A clock that runs only when `advance` is called, and whose time of day can jump. */
export class SimClock implements Clock {
  private readonly timers = new Map<number, ScheduledTimer>()
  private passed = 0
  private last = 0
  private isStopped = false

  constructor(private start: number) {}

  now(): number {
    return this.start + this.passed
  }

  elapsed(): number {
    return this.passed
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
    this.start += milliseconds
  }

  /** Stops all timers, as after the page was killed. */
  stop(): void {
    this.isStopped = true
    this.timers.clear()
  }

  /** Advances the time, and runs the timers that are due, in their order. */
  advance(milliseconds: number): void {
    const end = this.passed + milliseconds
    for (;;) {
      const [due] = [...this.timers]
        .filter(([, { at }]) => at <= end)
        .sort(([a, one], [b, other]) => one.at - other.at || a - b)
      if (!due) break
      const [id, timer] = due
      this.passed = Math.max(this.passed, timer.at)
      if (timer.every === null) this.timers.delete(id)
      else timer.at += Math.max(1, timer.every)
      timer.run()
    }
    this.passed = end
  }

  private add(run: () => void, milliseconds: number, every: number | null): Timer {
    this.last += 1
    if (!this.isStopped) this.timers.set(this.last, { at: this.passed + Math.max(0, milliseconds), every, run })
    return this.last as unknown as Timer
  }
}
