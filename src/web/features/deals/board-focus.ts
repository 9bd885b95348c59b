import type { BoardColumn } from '#web/data/deals.ts'
import { giveFocus, isFocusLost, tryEachFrame } from '#web/ui/focus.ts'
import type { ColumnListHandle } from './board-actions.ts'
import { findCard } from './board-neighbours.ts'
import { cardElementId } from './deal-card.tsx'

/** How long to wait for a card that moves to another place, in frames: half a second. */
const moveFrames = 30
/** How long to wait for a card that is not on this device yet, in frames: two seconds. */
const loadFrames = 120

interface RevealOptions {
  /** Gives the card the focus, too. */
  focus: boolean
  /** Waits until the card is in this stage. */
  stageId?: string | undefined
  /** False: a folded column stays folded, and its card out of sight. */
  uncover?: boolean
}

interface BoardInSight {
  columns: () => readonly BoardColumn[]
  /** The list of each column that is drawn, by stage. */
  lists: ReadonlyMap<string, ColumnListHandle>
  /** Unfolds a column as long as no card of another is revealed. */
  uncover: (stageId: string) => void
}

/** Brings cards into sight and gives them the focus, though a virtual list draws them only a few frames after the board has changed. */
export function boardFocus({ columns, lists, uncover: uncoverStage }: BoardInSight) {
  /** Counts what was to get the focus: only the last one gets it. */
  let asked = 0
  const columnOf = (stageId: string) => columns().find(({ stage }) => stage.id === stageId)

  /** Scrolls the board and the column until the card is in sight, unless another one is to get the focus. False: it is not on the board. */
  async function reveal(dealId: string, { focus, stageId, uncover = true }: RevealOptions): Promise<boolean> {
    const turn = focus ? ++asked : asked
    const isRevealed = await tryEachFrame(() => {
      if (focus && turn !== asked) return true
      const place = findCard(columns(), dealId)
      const stage = place && columns()[place.column]?.stage
      if (!stage || (stageId !== undefined && stage.id !== stageId)) return false
      if (uncover) uncoverStage(stage.id)
      showColumn(stage.id)
      lists.get(stage.id)?.scrollToIndex(place.index, { align: 'nearest' })
      const element = document.getElementById(cardElementId(dealId))
      if (element?.closest<HTMLElement>('[data-stage]')?.dataset.stage !== stage.id) return false
      // A card that is new in a list is hidden until the list has measured it, and cannot take the focus yet.
      return !focus || giveFocus(element)
    }, moveFrames)
    if (!isRevealed && focus && stageId !== undefined) focusTabStop(stageId)
    return isRevealed
  }

  /** Gives the card at this place of a column the focus; a folded column itself. */
  async function focusPlace(stageId: string, index: number): Promise<void> {
    const strip = document.querySelector(`[data-stage="${stageId}"][data-folded] button`)
    if (strip) {
      showColumn(stageId)
      giveFocus(strip)
      return
    }
    const cardHere = () => columnOf(stageId)?.at(index)
    const isLoaded = () => {
      if (cardHere()) return true
      lists.get(stageId)?.scrollToIndex(index, { align: 'nearest' })
      return false
    }
    if (!isLoaded() && !(await tryEachFrame(isLoaded, loadFrames))) return
    const card = cardHere()
    if (card) await reveal(card.deal.id, { focus: true })
  }

  /** A colleague moves this card now: if it has the focus, the card that takes its place gets it. */
  async function focusSuccessor(dealId: string): Promise<void> {
    const place = findCard(columns(), dealId)
    const stage = place && columns()[place.column]?.stage
    if (!stage || document.activeElement?.id !== cardElementId(dealId)) return
    if (!(await tryEachFrame(isFocusLost, moveFrames))) return
    const count = columnOf(stage.id)?.count ?? 0
    if (count > 0) await focusPlace(stage.id, Math.min(place.index, count - 1))
  }

  return { reveal, focusPlace, focusSuccessor }
}

/** For a card whose new place is not on this device: the card that Tab reaches in the column gets the focus, unless it is elsewhere. */
function focusTabStop(stageId: string): void {
  if (!isFocusLost()) return
  document.querySelector<HTMLElement>(`[data-stage="${stageId}"] [data-deal][tabindex="0"]`)?.focus()
}

/** Scrolls the board sideways, never the page, until the column is wholly in sight. */
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
