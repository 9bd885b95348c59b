import { beginUndoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import type { Dispatch } from 'react'
import { stageById } from '#web/data/deal-stages.ts'
import { type BoardColumn, type DealCard, quickCreateDeal, stageOfDeal } from '#web/data/deals.ts'
import { newId } from '#web/lib/new-id.ts'
import { isFocusLost } from '#web/ui/focus.ts'
import { announce } from '#web/ui/live-region.ts'
import { endOfBoardAnnouncement, moveAnnouncement } from './announcements.ts'
import { type BoardActions, type ColumnListHandle, type FocusKey, focusKeyOf } from './board-actions.ts'
import { createBoardFocus } from './board-focus.ts'
import { type CardPosition, findCard, neighbourOf, stageBeside } from './board-neighbours.ts'
import type { BoardEvent } from './board-state.ts'
import { showCreateOutcome } from './create-outcome.ts'
import { moveWithToast } from './move-with-toast.ts'
import { isHeadFocused } from './stage-head.tsx'

/**
 * The actions of the board. `follow` sets the current columns; `move` handles a drop; `choose` handles a choice in 'Move to stage'; `show`
 * scrolls to a card and focuses it; `uncover` scrolls to a card without moving the focus.
 */
export function createBoardActions(
  device: Device,
  dispatch: Dispatch<BoardEvent>,
  openRecord: (list: 'deals', id: string) => void,
) {
  let columns: readonly BoardColumn[] = []
  const lists = new Map<string, ColumnListHandle>()
  const stagesWithNewDeal = new Set<string>()
  /** The focused card that is moving to another column. For a few frames nothing has the focus, and keys for the card reach the page. */
  let movingCard: { card: DealCard } | null = null
  const { reveal, focusPosition, focusSuccessor } = createBoardFocus({
    columns: () => columns,
    lists,
    uncover: (stageId) => dispatch({ type: 'stage-uncovered', stageId }),
  })

  /** Returns the stage of a card's deal now. The card may not have been rendered since the deal was moved. */
  const stageIdOf = ({ deal }: DealCard) => stageOfDeal(device, deal.id) ?? deal.stage_id

  /** Moves a card. With `focus` the card keeps the focus. */
  async function move(card: DealCard, stageId: string, focus: boolean): Promise<void> {
    const { id } = card.deal
    const moveResult = moveWithToast(device, card.deal, stageId)
    const showMoving = async (options: { stageId: string; uncover?: boolean }) => {
      const ownMove = focus ? { card } : null
      movingCard = ownMove
      await reveal(id, { focus, ...options })
      if (movingCard === ownMove) movingCard = null
    }
    // Dropping a card on a folded column does not unfold the column.
    const firstReveal = showMoving({ stageId, uncover: focus })
    if (!(await moveResult)) return showMoving({ stageId: stageIdOf(card), uncover: focus })
    if (!focus) return
    await firstReveal
    // In a windowed column the card is at its new place only after the server has responded. The card may have moved again meanwhile.
    const isWaiting = !movingCard && (isFocusLost() || isHeadFocused(stageId))
    if (isWaiting && (stageOfDeal(device, id) ?? stageId) === stageId) await showMoving({ stageId })
  }

  /** Moves a card one stage to the left or right and announces the move; at the end of the board only announces the end. The card keeps the focus. */
  function moveOneStage(card: DealCard, direction: -1 | 1): void {
    const stages = columns.map(({ stage }) => stage)
    const stage = stageBeside(stages, stageIdOf(card), direction)
    announce(stage ? moveAnnouncement(card.deal.name, stage.name) : endOfBoardAnnouncement(card.deal.name, direction))
    if (stage) void move(card, stage.id, true)
  }

  function choose(card: DealCard, stageId: string): void {
    dispatch({ type: 'sheet-closed' })
    const stage = stageById(device, stageId)
    if (!stage || stageId === stageIdOf(card)) return void reveal(card.deal.id, { focus: true })
    announce(moveAnnouncement(card.deal.name, stage.name))
    if (columns.some((column) => column.stage.id === stageId)) return void move(card, stageId, true)
    // The deal moves to another pipeline and leaves this board.
    void focusSuccessor(card.deal.id)
    void moveWithToast(device, card.deal, stageId)
  }

  function focusFrom(from: CardPosition | null, key: FocusKey): void {
    const to = from && neighbourOf(columns, from, key, (stageId) => lists.get(stageId) ?? null)
    const stage = to && columns[to.column]?.stage
    if (stage) void focusPosition(stage.id, to.index)
  }

  /** Opens the name field on the card of a new deal, unless a search hides the card. */
  async function nameNewDeal(dealId: string, stageId: string): Promise<void> {
    dispatch({ type: 'naming-started', dealId })
    if (!(await reveal(dealId, { focus: false, stageId }))) dispatch({ type: 'naming-ended', dealId })
  }

  const actions: BoardActions = {
    open: (card) => openRecord('deals', card.deal.id),
    select: (card, isRange) => dispatch({ type: 'card-selected', dealId: card.deal.id, isRange, columns }),
    openSheet: (card) => dispatch({ type: 'sheet-opened', card }),
    walk(card, key, shift) {
      if (!shift) focusFrom(findCard(columns, card.deal.id), key)
      else if (key === 'ArrowLeft') moveOneStage(card, -1)
      else if (key === 'ArrowRight') moveOneStage(card, 1)
    },
    focusFromHead: (stageId, key) =>
      focusFrom(
        { column: columns.findIndex(({ stage }) => stage.id === stageId), index: key === 'ArrowDown' ? -1 : 0 },
        key,
      ),
    async quickAdd({ stage }) {
      if (stagesWithNewDeal.has(stage.id)) return
      stagesWithNewDeal.add(stage.id)
      lists.get(stage.id)?.scrollToIndex(0, { align: 'start' })
      try {
        const dealId = newId()
        const { run, options } = beginUndoable(device)
        const creation = run(() => quickCreateDeal(device, { id: stage.id, name: stage.name }, dealId))
        void nameNewDeal(dealId, stage.id)
        let outcome = await creation
        if (outcome.status === 'refused')
          outcome = (await import('#web/data/changes/refusal-words.ts')).creationOutcome(outcome, 'deals', {
            stage_id: stage.id,
          })
        showCreateOutcome(device, outcome, options)
      } finally {
        stagesWithNewDeal.delete(stage.id)
      }
    },
    endNaming: (dealId) => dispatch({ type: 'naming-ended', dealId }),
    registerList(stageId, list) {
      if (list) lists.set(stageId, list)
      else lists.delete(stageId)
    },
  }

  return {
    actions,
    move,
    choose,
    show: (dealId: string) => void reveal(dealId, { focus: true }),
    uncover: (dealId: string) => void reveal(dealId, { focus: false }),
    focusSuccessor,
    focusPosition,
    /** Whether the focused card is moving to another column and has no focus yet. */
    isMoving: () => movingCard !== null,
    /** Handles a key that was pressed on the page. */
    pressed: (event: KeyboardEvent): void => {
      const key = focusKeyOf(event)
      // Ignores events that the card has handled: they bubble to the page even after the card has left its column.
      if (!key || !movingCard || event.defaultPrevented || !isFocusLost()) return
      event.preventDefault()
      actions.walk(movingCard.card, key, event.shiftKey)
    },
    follow: (newColumns: readonly BoardColumn[]): void => {
      columns = newColumns
    },
  }
}
