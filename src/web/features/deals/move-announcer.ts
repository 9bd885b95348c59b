import { untilVisible } from '#web/data/browser/until-visible.ts'
import type { RemoteMove } from '#web/data/remote-moves.ts'
import { withMoves, type Arrivals, noArrivals } from './arrivals.ts'

/** Minimum pause between two announcements (ms). Moves in between are summarised in the next one. */
const pauseMs = 5_000
/**
 * Moves made while the page was hidden or offline arrive in parts. They are announced when no further part has arrived for this time (ms).
 */
const quietMs = 800

/**
 * Announces moves of colleagues: the first at once, the following ones together, at most one sentence every five seconds. Moves made while
 * the page was hidden or offline are announced separately, without this limit.
 */
export class MoveAnnouncer {
  private readonly show: (moves: readonly RemoteMove[], away: boolean) => void
  /** The moves for the next sentence. */
  private pending: Arrivals = noArrivals
  /** The moves made while the page was hidden or offline that are not announced yet. */
  private missed: Arrivals = noArrivals
  private timer: ReturnType<typeof setTimeout> | undefined
  private awayTimer: ReturnType<typeof setTimeout> | undefined

  /** `show` gets only the last move of each deal. */
  constructor(show: (moves: readonly RemoteMove[], away: boolean) => void) {
    this.show = show
  }

  /**
   * Announces these moves now or together with later ones. `away`: they were made while the page was hidden or offline, and get a sentence of
   * their own.
   */
  add(moves: readonly RemoteMove[], away: boolean): void {
    if (away) {
      this.missed = withMoves(this.missed, moves)
      clearTimeout(this.awayTimer)
      this.awayTimer = setTimeout(() => this.announceMissed(), quietMs)
      return
    }
    this.pending = withMoves(this.pending, moves)
    if (this.timer === undefined) this.announce()
  }

  /** Drops moves that are not announced yet. */
  stop(): void {
    clearTimeout(this.timer)
    clearTimeout(this.awayTimer)
    this.timer = undefined
    this.pending = noArrivals
    this.missed = noArrivals
  }

  private announce(): void {
    this.timer = undefined
    if (this.pending.size === 0) return
    const moves = [...this.pending.values()]
    this.pending = noArrivals
    this.timer = setTimeout(() => this.announce(), pauseMs)
    this.show(moves, false)
  }

  private announceMissed(): void {
    // Moves that arrive when the page becomes visible belong to the same sentence.
    if (globalThis.document?.visibilityState === 'hidden') return void untilVisible().then(() => this.add([], true))
    if (this.missed.size === 0) return
    const moves = [...this.missed.values()]
    this.missed = noArrivals
    this.show(moves, true)
  }
}
