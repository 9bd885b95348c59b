import type { RemoteMove } from '#web/data/remote-moves.ts'
import { withMoves, type Arrivals, noArrivals } from './arrivals.ts'

/** Between two sentences about colleagues; what comes meanwhile is summed up in the next. Milliseconds. */
const pause = 5_000
/** The news of an absence come in pieces: they are told when so long none came. Milliseconds. */
const calm = 800

/** Says moves of colleagues: the first at once, those that follow summed up, never two sentences within five seconds. */
export class MoveTeller {
  private readonly say: (moves: readonly RemoteMove[], away: boolean) => void
  private untold: Arrivals = noArrivals
  private missed: Arrivals = noArrivals
  private timer: ReturnType<typeof setTimeout> | undefined
  private awayTimer: ReturnType<typeof setTimeout> | undefined

  /** `say` gets one move a deal, the last one. */
  constructor(say: (moves: readonly RemoteMove[], away: boolean) => void) {
    this.say = say
  }

  /** Tells these now or with what follows; `away`: they happened while nobody looked, and are one sentence of their own. */
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

  /** Forgets what is untold. */
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
