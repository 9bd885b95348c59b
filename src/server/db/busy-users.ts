import { OverloadMeter } from './overload-meter.ts'

/** A user is metered after a request of theirs has waited this long (ms). */
const meteredFromMs = 50
/** A user whose requests no longer wait is forgotten after this time (ms). */
const forgetAfterMs = 1_000

interface MeteredUser {
  meter: OverloadMeter
  lastWaitAt: number
}

/** Detects users who send more requests than their share of the connections can handle, while other users' requests start at once. */
export class BusyUsers {
  readonly #users = new Map<string, MeteredUser>()

  /** Whether most of the user's requests start late. */
  has(user: string): boolean {
    return this.#users.get(user)?.meter.isOverloaded === true
  }

  /** Records that a request of this user has started at `now` after waiting this long (ms). */
  recordWait(user: string, wait: number, now: number): void {
    let metered = this.#users.get(user)
    if (!metered) {
      if (wait < meteredFromMs) return
      metered = { meter: new OverloadMeter(now), lastWaitAt: now }
      this.#users.set(user, metered)
    }
    metered.meter.recordWait(wait)
    if (wait >= meteredFromMs) metered.lastWaitAt = now
  }

  /** Decides about each user from the waits since the last decision (`now` in ms). Call it often. */
  judge(now: number): void {
    for (const [user, { meter, lastWaitAt }] of this.#users) {
      meter.judge(now)
      if (!meter.isOverloaded && now - lastWaitAt > forgetAfterMs) this.#users.delete(user)
    }
  }

  /** Number of metered users. */
  get size(): number {
    return this.#users.size
  }
}
