import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core'

/** The names for the spoken sentences; `null` when the record is unknown or gone. */
export interface SpokenNames {
  deal(id: string): string | null
  stage(id: string): string | null
  /** The id of the stage that the deal is in. */
  stageOf(dealId: string): string | null
}

/** Read with a focused card before it is lifted. */
export const instructions: ScreenReaderInstructions = {
  draggable:
    'Press Space to lift the deal, the arrow keys to carry it, Space to drop it and Escape to put it back. ' +
    'Shift with the left or right arrow moves it one stage at once. Enter opens it, x selects it.',
}

/** The sentences while a card is carried (spec section 4, keyboard dragging). */
export function spokenMoves(names: SpokenNames): Announcements {
  const deal = (id: string | number) => names.deal(String(id)) ?? 'The deal'
  const stage = (id: string | number) => names.stage(String(id)) ?? 'an unknown stage'
  let last: string | number | null = null
  return {
    onDragStart: ({ active }) => {
      const from = names.stageOf(String(active.id))
      last = from
      return `Lifted ${deal(active.id)}${from === null ? '' : ` from ${stage(from)}`}`
    },
    onDragOver: ({ over }) => {
      // Right after the lift the card is over its own stage; this sentence would interrupt the first one.
      if (over?.id === last) return
      last = over?.id ?? null
      return over ? `Over ${stage(over.id)}` : 'Not over a stage'
    },
    onDragEnd: ({ active, over }) => {
      if (!over) return `${deal(active.id)} was put back`
      return names.stageOf(String(active.id)) === over.id
        ? `${deal(active.id)} stays in ${stage(over.id)}`
        : `Dropped in ${stage(over.id)}`
    },
    onDragCancel: ({ active }) => `Cancelled. ${deal(active.id)} was put back`,
  }
}

/** After a move without a drag: by Shift and an arrow, or by the menu. */
export function spokenStep(deal: string, stage: string): string {
  return `Moved ${deal} to ${stage}`
}

/** When Shift and an arrow have no stage to move to. */
export function spokenEnd(deal: string, direction: -1 | 1): string {
  return `${deal} is already in the ${direction < 0 ? 'first' : 'last'} stage`
}
