import type { BoardColumn } from '#web/data/deals.ts'
import type { RemoteMove } from '#web/data/remote-moves.ts'

/** Cards that colleagues have just moved, by deal: for two seconds each shows who moved it. */
export type Arrivals = ReadonlyMap<string, RemoteMove>

/** One object, so that components do not render again. */
export const noArrivals: Arrivals = new Map()

/** Adds moves; a deal that is moved again keeps its last move. */
export function withMoves(arrivals: Arrivals, moves: readonly RemoteMove[]): Arrivals {
  const next = new Map(arrivals)
  for (const move of moves) next.set(move.dealId, move)
  return next
}

/** Ends the highlight of these moves. A deal that a colleague has moved again since keeps its newer move. */
export function withoutMoves(arrivals: Arrivals, moves: readonly RemoteMove[]): Arrivals {
  const next = new Map(arrivals)
  for (const move of moves) if (next.get(move.dealId) === move) next.delete(move.dealId)
  return next.size > 0 ? next : noArrivals
}

/** Whether some of these cards are in this column; they are not while the board is frozen. */
export function hasArrivals(arrivals: Arrivals, column: BoardColumn): boolean {
  for (const { dealId, stageId } of arrivals.values())
    if (stageId === column.stage.id && column.indexOf(dealId) >= 0) return true
  return false
}

/** Whether cards came into this stage or left it: its cards then slide to their new places. */
export function isFlowing(arrivals: Arrivals, stageId: string): boolean {
  for (const move of arrivals.values()) if (move.stageId === stageId || move.fromStageId === stageId) return true
  return false
}
