import { OverloadMeter } from './overload-meter.ts'

/** The waits of a user are measured only after one of their requests has waited at least this long (ms). */
const meteredFromMs = 50
/** A user's waits are no longer measured if the user is not busy, and the user's last long wait was more than this time ago (ms). */
const forgetAfterMs = 1_000

interface MeteredUser {
  meter: OverloadMeter
  lastLongWaitAt: number
}

/**
 * Detects users who send more requests than their share of the connections can handle. Each user is judged only by the
 * waits of their own requests, because meanwhile the requests of all other users may start without a wait.
 */
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
      metered = { meter: new OverloadMeter(now), lastLongWaitAt: now }
      this.#users.set(user, metered)
    }
    metered.meter.recordWait(wait)
    if (wait >= meteredFromMs) metered.lastLongWaitAt = now
  }

  /** Decides for each user, at the end of an interval of their meter, whether the user is busy (`now` in ms). Call it often. */
  judge(now: number): void {
    for (const [user, { meter, lastLongWaitAt }] of this.#users) {
      meter.judge(now)
      if (!meter.isOverloaded && now - lastLongWaitAt > forgetAfterMs) this.#users.delete(user)
    }
  }

  /** Number of users whose waits are measured. */
  get size(): number {
    return this.#users.size
  }
}
