import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core'

/** The names in the announcements; null if the record is unknown or deleted. */
export interface SpokenNames {
  deal(id: string): string | null
  stage(id: string): string | null
  /** The id of the stage that the deal is in. */
  stageOf(dealId: string): string | null
}

/** Screen readers read these instructions when a card has the focus. */
export const instructions: ScreenReaderInstructions = {
  draggable:
    'Press Space to lift the deal, the arrow keys to carry it, Space to drop it and Escape to put it back. ' +
    'Shift with the left or right arrow moves it one stage at once. Enter opens it, x selects it.',
}

/** Returns the announcements during a drag (spec section 4, keyboard dragging). */
export function dragAnnouncements(names: SpokenNames): Announcements {
  const dealName = (id: string | number) => names.deal(String(id)) ?? 'The deal'
  const stageName = (id: string | number) => names.stage(String(id)) ?? 'an unknown stage'
  let lastOverId: string | number | null = null
  return {
    onDragStart: ({ active }) => {
      const from = names.stageOf(String(active.id))
      lastOverId = from
      return `Lifted ${dealName(active.id)}${from === null ? '' : ` from ${stageName(from)}`}`
    },
    onDragOver: ({ over }) => {
      // Right after the lift the card is over its own stage. Announcing this stage would interrupt the first announcement.
      if (over?.id === lastOverId) return
      lastOverId = over?.id ?? null
      return over ? `Over ${stageName(over.id)}` : 'Not over a stage'
    },
    onDragEnd: ({ active, over }) => {
      if (!over) return `${dealName(active.id)} was put back`
      return names.stageOf(String(active.id)) === over.id
        ? `${dealName(active.id)} stays in ${stageName(over.id)}`
        : `Dropped in ${stageName(over.id)}`
    },
    onDragCancel: ({ active }) => `Cancelled. ${dealName(active.id)} was put back`,
  }
}

/** Returns the announcement of a move without a drag: with Shift and an arrow key, or by the menu. */
export function moveAnnouncement(deal: string, stage: string): string {
  return `Moved ${deal} to ${stage}`
}

/** Returns the announcement for Shift and an arrow key if there is no stage in that direction. */
export function endOfBoardAnnouncement(deal: string, direction: -1 | 1): string {
  return `${deal} is already in the ${direction < 0 ? 'first' : 'last'} stage`
}
