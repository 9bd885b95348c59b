import type { RemoteMove } from '#web/data/remote-moves.ts'
import { withMoves, type Arrivals, noArrivals } from './arrivals.ts'

/** The pause between two sentences about colleagues; moves in between are summed up in the next one (ms). */
const pause = 5_000
/** Moves that happened during an absence arrive in pieces; they are announced after this long without another piece (ms). */
const calm = 800

/** Announces moves of colleagues: the first at once, the following ones summed up, at most one sentence in five seconds. */
export class MoveTeller {
  private readonly say: (moves: readonly RemoteMove[], away: boolean) => void
  private untold: Arrivals = noArrivals
  private missed: Arrivals = noArrivals
  private timer: ReturnType<typeof setTimeout> | undefined
  private awayTimer: ReturnType<typeof setTimeout> | undefined

  /** `say` gets one move for each deal, the last one. */
  constructor(say: (moves: readonly RemoteMove[], away: boolean) => void) {
    this.say = say
  }

  /** Announces these moves now or with the next ones; `away`: they happened while the page was hidden and get their own sentence. */
  add(moves: readonly RemoteMove[], away: boolean): void {
    if (away) {
      this.missed = withMoves(this.missed, moves)
      clearTimeout(this.awayTimer)
      this.awayTimer = setTimeout(() => this.tellMissed(), calm)
      return
    }
    this.untold = withMoves(this.untold, moves)
    if (this.timer === undefined) this.tell()
  }

  /** Drops moves that are not announced yet. */
  stop(): void {
    clearTimeout(this.timer)
    clearTimeout(this.awayTimer)
    this.timer = undefined
    this.untold = noArrivals
    this.missed = noArrivals
  }

  private tell(): void {
    this.timer = undefined
    if (this.untold.size === 0) return
    const moves = [...this.untold.values()]
    this.untold = noArrivals
    this.timer = setTimeout(() => this.tell(), pause)
    this.say(moves, false)
  }

  private tellMissed(): void {
    const moves = [...this.missed.values()]
    this.missed = noArrivals
    this.say(moves, true)
  }
}
