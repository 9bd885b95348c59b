import type { BoardColumn } from '#web/data/deals.ts'
import { giveFocus, isFocusLost, tryEachFrame } from '#web/ui/focus.ts'
import type { ColumnListHandle } from './board-actions.ts'
import { findCard } from './board-neighbours.ts'
import { cardElementId } from './deal-card.tsx'
import { focusHead } from './stage-head.tsx'

/** Maximum number of frames to wait for a card that moves to another place: half a second. */
const maxMoveFrames = 30
/** Maximum number of frames to wait for a card that is not on this device yet: two seconds. */
const maxLoadFrames = 120

interface RevealOptions {
  /** Whether to focus the card, too. */
  focus: boolean
  /** If set, waits until the card is in this stage. */
  stageId?: string | undefined
  /** If false and the card's column is folded, the column stays folded and the card stays hidden. True by default. */
  uncover?: boolean
}

interface BoardFocusOptions {
  columns: () => readonly BoardColumn[]
  /** The list of each mounted column, by stage. */
  lists: ReadonlyMap<string, ColumnListHandle>
  /** Unfolds a column until a card of another column is revealed. */
  uncover: (stageId: string) => void
}

/** Scrolls to cards and focuses them. A virtual list renders a card only a few frames after the board has changed. */
export function createBoardFocus({ columns, lists, uncover: uncoverStage }: BoardFocusOptions) {
  /** Number of the latest focus request. Only the latest one is carried out. */
  let latestRequest = 0
  const columnOf = (stageId: string) => columns().find(({ stage }) => stage.id === stageId)

  /**
   * Scrolls the board and the column until the card is visible. Resolves to false if the card is not visible after half a second. With
   * `focus`, a newer focus request ends this request, which then resolves to true.
   */
  async function reveal(dealId: string, { focus, stageId, uncover = true }: RevealOptions): Promise<boolean> {
    const request = focus ? ++latestRequest : latestRequest
    const isRevealed = await tryEachFrame(() => {
      if (focus && request !== latestRequest) return true
      const position = findCard(columns(), dealId)
      const stage = position && columns()[position.column]?.stage
      if (!stage || (stageId !== undefined && stage.id !== stageId)) return false
      if (uncover) uncoverStage(stage.id)
      showColumn(stage.id)
      lists.get(stage.id)?.scrollToIndex(position.index, { align: 'nearest' })
      const element = document.getElementById(cardElementId(dealId))
      if (element?.closest<HTMLElement>('[data-stage]')?.dataset.stage !== stage.id) return false
      // A card that is new in a list may not be rendered yet.
      return !focus || giveFocus(element)
    }, maxMoveFrames)
    // The new place of the card is not on this device. The head of the column gets the focus, not another card: Shift and an arrow key would then
    // move that card.
    if (!isRevealed && focus && stageId !== undefined && isFocusLost()) focusHead(stageId)
    return isRevealed
  }

  /** Focuses the card at this index of a column, or a folded column's button. Does nothing if the card is not loaded in two seconds. */
  async function focusPosition(stageId: string, index: number): Promise<void> {
    const request = ++latestRequest
    const foldedButton = document.querySelector(`[data-stage="${stageId}"][data-folded] button`)
    if (foldedButton) {
      showColumn(stageId)
      giveFocus(foldedButton)
      return
    }
    const cardHere = () => columnOf(stageId)?.at(index)
    const isLoaded = () => {
      if (cardHere()) return true
      lists.get(stageId)?.scrollToIndex(index, { align: 'nearest' })
      return false
    }
    if (!isLoaded() && !(await tryEachFrame(isLoaded, maxLoadFrames))) return
    const card = cardHere()
    if (card && request === latestRequest) await reveal(card.deal.id, { focus: true })
  }

  /**
   * Call it before this card leaves its place. If the card has the focus, the card that follows it (or the last of the column) gets the focus,
   * unless the person moves the focus meanwhile, for example to the card at its new place.
   */
  async function focusSuccessor(dealId: string): Promise<void> {
    const position = findCard(columns(), dealId)
    const stage = position && columns()[position.column]?.stage
    const element = document.activeElement
    if (!stage || element?.id !== cardElementId(dealId)) return
    const request = latestRequest
    await tryEachFrame(() => document.activeElement !== element, maxMoveFrames)
    if (!isFocusLost() || request !== latestRequest) return
    const count = columnOf(stage.id)?.count ?? 0
    if (count > 0) await focusPosition(stage.id, Math.min(position.index, count - 1))
  }

  return { reveal, focusPosition, focusSuccessor }
}

/** Scrolls the board horizontally (never the page) until the column is fully visible. */
function showColumn(stageId: string): void {
  const scroller = document.querySelector('[data-board-scroller]')
  const column = scroller?.querySelector(`[data-stage="${stageId}"]`)
  if (!scroller || !column) return
  const visible = scroller.getBoundingClientRect()
  const box = column.getBoundingClientRect()
  const left = box.left - visible.left
  const right = box.right - visible.right
  if (left < 0 || box.width > visible.width) scroller.scrollBy({ left })
  else if (right > 0) scroller.scrollBy({ left: right })
}
