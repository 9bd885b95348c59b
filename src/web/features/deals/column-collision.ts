import type { CollisionDetection } from '@dnd-kit/core'

/** Distance above or below a column at which the pointer still counts as over it (px). */
const slackPx = 48

/** Half of the gap between columns (px). */
const halfGapPx = 6

/**
 * Finds the column that a carried card is over, only by horizontal position: the gap between columns, the scroll position and the height of the card
 * do not matter. The pointer must be at the height of the columns (`slackPx`); a drop elsewhere has no effect. With the keyboard, the middle of the
 * card decides. Docked columns are folded and stay at the right of the board. Right of their left edge, only docked columns count: others may be
 * scrolled behind them.
 */
export const columnCollision: CollisionDetection = ({
  collisionRect,
  droppableContainers,
  droppableRects,
  pointerCoordinates,
}) => {
  const x = pointerCoordinates ? pointerCoordinates.x : collisionRect.left + collisionRect.width / 2
  let nearest: { id: string | number; distance: number } | null = null
  const rectOf = (id: string | number) => droppableRects.get(id)
  const isDocked = ({ id, data }: (typeof droppableContainers)[number]) =>
    data.current?.docked === true && x >= (rectOf(id)?.left ?? Infinity) - halfGapPx
  const docked = droppableContainers.filter(isDocked)
  for (const { id } of docked.length > 0 ? docked : droppableContainers) {
    const rect = rectOf(id)
    if (!rect) continue
    const y = pointerCoordinates?.y
    if (y !== undefined && (y < rect.top - slackPx || y > rect.top + rect.height + slackPx)) continue
    const distance = distanceToSpan(x, rect.left, rect.left + rect.width)
    if (nearest === null || distance < nearest.distance) nearest = { id, distance }
  }
  return nearest === null ? [] : [{ id: nearest.id }]
}

function distanceToSpan(x: number, from: number, to: number): number {
  return x < from ? from - x : x > to ? x - to : 0
}
