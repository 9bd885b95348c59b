import type { BoardColumn } from '#web/data/deals.ts'
import type { RemoteMove } from '#web/data/remote-moves.ts'

/** Cards that colleagues have just moved, by deal id. Each shows for two seconds who moved it. */
export type Arrivals = ReadonlyMap<string, RemoteMove>

/** One shared empty map, so that components that get it do not render again. */
export const noArrivals: Arrivals = new Map()

/** Returns the arrivals with these moves. Of several moves of a deal, the last one counts. */
export function withMoves(arrivals: Arrivals, moves: readonly RemoteMove[]): Arrivals {
  const newArrivals = new Map(arrivals)
  for (const move of moves) newArrivals.set(move.dealId, move)
  return newArrivals
}

/** Returns the arrivals without these moves. A newer move of the same deal stays. */
export function withoutMoves(arrivals: Arrivals, moves: readonly RemoteMove[]): Arrivals {
  const newArrivals = new Map(arrivals)
  for (const move of moves) if (newArrivals.get(move.dealId) === move) newArrivals.delete(move.dealId)
  return newArrivals.size > 0 ? newArrivals : noArrivals
}

/**
 * Whether any of these cards is in this column. While a card is pressed or dragged, the board shows the columns as they were at the press.
 * Cards that colleagues have moved here since then are not in those columns, and do not count.
 */
export function hasArrivals(arrivals: Arrivals, column: BoardColumn): boolean {
  for (const { dealId, stageId } of arrivals.values())
    if (stageId === column.stage.id && column.indexOf(dealId) >= 0) return true
  return false
}

/** Whether colleagues have just moved cards into this stage or out of it. Then the cards of the stage slide to their new places. */
export function hasSlidingCards(arrivals: Arrivals, stageId: string): boolean {
  for (const move of arrivals.values()) if (move.stageId === stageId || move.fromStageId === stageId) return true
  return false
}
