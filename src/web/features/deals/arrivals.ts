import type { BoardColumn } from '#web/data/deals.ts'
import type { RemoteMove } from '#web/data/remote-moves.ts'

/** Cards that a colleague has just put where they are, by deal: for two seconds they wear who it was. */
export type Arrivals = ReadonlyMap<string, RemoteMove>

export const noArrivals: Arrivals = new Map()

/** These moves as well; a deal that was moved again has its last one. */
export function withMoves(arrivals: Arrivals, moves: readonly RemoteMove[]): Arrivals {
  const next = new Map(arrivals)
  for (const move of moves) next.set(move.dealId, move)
  return next
}

/** Without those of these moves that are still the last of their deals. */
export function withoutMoves(arrivals: Arrivals, moves: readonly RemoteMove[]): Arrivals {
  const next = new Map(arrivals)
  for (const move of moves) if (next.get(move.dealId) === move) next.delete(move.dealId)
  return next.size > 0 ? next : noArrivals
}

/** Whether some of them are seen in this column: while a card is held they are not yet. */
export function hasArrivals(arrivals: Arrivals, column: BoardColumn): boolean {
  for (const { dealId, stageId } of arrivals.values())
    if (stageId === column.stage.id && column.indexOf(dealId) >= 0) return true
  return false
}

/** Whether some of them came into this stage or left it: its cards flow to their new places. */
export function isFlowing(arrivals: Arrivals, stageId: string): boolean {
  for (const move of arrivals.values()) if (move.stageId === stageId || move.fromStageId === stageId) return true
  return false
}
