import { untilVisible } from '#web/data/browser/until-visible.ts'
import type { RemoteMove } from '#web/data/remote-moves.ts'
import { withMoves, type Arrivals, noArrivals } from './arrivals.ts'

/** The pause between two sentences about colleagues; moves in between are summed up in the next one (ms). */
const pauseMs = 5_000
/** Moves that happened during an absence arrive in pieces; they are announced after this long without another piece (ms). */
const quietMs = 800

/** Announces moves of colleagues: the first at once, the following ones summed up, at most one sentence in five seconds. */
export class MoveAnnouncer {
  private readonly show: (moves: readonly RemoteMove[], away: boolean) => void
  private pending: Arrivals = noArrivals
  private missed: Arrivals = noArrivals
  private timer: ReturnType<typeof setTimeout> | undefined
  private awayTimer: ReturnType<typeof setTimeout> | undefined

  /** `show` gets one move for each deal, the last one. */
  constructor(show: (moves: readonly RemoteMove[], away: boolean) => void) {
    this.show = show
  }

  /** Announces these moves now or with the next ones; `away`: they happened while the page was hidden and get their own sentence. */
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
    // What arrives once the page is visible is part of the same sentence.
    if (globalThis.document?.visibilityState === 'hidden') return void untilVisible().then(() => this.add([], true))
    if (this.missed.size === 0) return
    const moves = [...this.missed.values()]
    this.missed = noArrivals
    this.show(moves, true)
  }
}
