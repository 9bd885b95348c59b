import type { CollisionDetection } from '@dnd-kit/core'

/** How far above or below a column, in pixels, the pointer still counts as over it. */
const slack = 48

/**
 * Which column a lifted card is over. A column is chosen by its horizontal span alone, so that the gap between two
 * columns, the scrolled list inside and the height of the card never matter. The pointer must be at the height of
 * the board (beside it nothing is chosen, a drop there does nothing); the keyboard has no pointer: the middle of the
 * card decides.
 */
export const columnCollision: CollisionDetection = ({
  collisionRect,
  droppableContainers,
  droppableRects,
  pointerCoordinates,
}) => {
  const x = pointerCoordinates ? pointerCoordinates.x : collisionRect.left + collisionRect.width / 2
  let nearest: { id: string | number; distance: number } | null = null
  for (const { id } of droppableContainers) {
    const rect = droppableRects.get(id)
    if (!rect) continue
    const y = pointerCoordinates?.y
    if (y !== undefined && (y < rect.top - slack || y > rect.top + rect.height + slack)) continue
    const distance = distanceToSpan(x, rect.left, rect.left + rect.width)
    if (nearest === null || distance < nearest.distance) nearest = { id, distance }
  }
  return nearest === null ? [] : [{ id: nearest.id }]
}

function distanceToSpan(x: number, from: number, to: number): number {
  return x < from ? from - x : x > to ? x - to : 0
}
