import type { CollisionDetection } from '@dnd-kit/core'

/** How far above or below a column the pointer still counts as over it (px). */
const slack = 48

/**
 * Finds the column that a carried card is over, by its horizontal span alone: the gap between columns, the scroll position and the height
 * of the card do not matter. The pointer must be at the height of the board; a drop elsewhere does nothing. With the keyboard, the middle
 * of the card decides.
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
