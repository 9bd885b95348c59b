import { type RefObject, useMemo, useRef, useState } from 'react'
import { type Board, type BoardColumn, type DealCard, quickCreateDeal } from '#web/data/deals.ts'
import { useSelection } from '#web/lib/use-selection.ts'
import { announce } from '#web/ui/live-region.ts'
import { spokenEnd, spokenStep } from './announcements.ts'
import type { BoardActions, ColumnListHandle } from './board-actions.ts'
import { findCard, neighbourOf, stageBeside } from './board-focus.ts'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import { tellCreated } from './create-outcome.ts'
import { cardElementId } from './deal-card.tsx'
import { moveAndTell } from './move-outcome.ts'

/**
 * The verbs of the board over its latest columns. `sheet` is the card whose 'Move to' sheet is open; `move` is what a drop
 * does, `choose` what a choice in the menu does.
 */
export function useBoardActions(board: Board, scroller: RefObject<HTMLElement | null>) {
  const { ids: selected, toggle, range, clear } = useSelection()
  const openRecord = useRef(useOpenRecord())
  const [sheet, setSheet] = useState<DealCard | null>(null)
  const latest = useRef(board)
  latest.current = board

  const verbs = useMemo(() => {
    const lists = new Map<string, ColumnListHandle>()
    const adding = new Set<string>()
    let anchor: string | null = null
    const listOf = (stageId: string) => lists.get(stageId) ?? null
    const columns = () => latest.current.columns

    /** Scrolls the board and the column until the card is in sight (in that stage), and gives it the focus if asked. */
    function reveal(dealId: string, focus: boolean, stageId: string | null = null, tries = 30) {
      requestAnimationFrame(() => {
        const place = findCard(columns(), dealId)
        const column = place && columns()[place.column]
        const element = document.getElementById(cardElementId(dealId))
        if (place && column && (stageId === null || column.stage.id === stageId)) {
          showColumn(scroller.current, column.stage.id)
          listOf(column.stage.id)?.scrollToIndex(place.index, { align: 'nearest' })
          if (element?.closest('[data-stage]')?.getAttribute('data-stage') === column.stage.id) {
            // A card that has just come is hidden until the list has measured it, and cannot take the focus yet.
            if (focus) element.focus({ preventScroll: true })
            if (!focus || document.activeElement === element) return
          }
        }
        if (tries > 0) reveal(dealId, focus, stageId, tries - 1)
        else if (focus && stageId !== null) focusColumn(stageId)
      })
    }

    /** Gives a place of a column the focus; a card that is not on this device yet is waited for, two seconds at most. */
    function focusPlace(stageId: string, index: number, tries = 120) {
      const card = columns()
        .find(({ stage }) => stage.id === stageId)
        ?.at(index)
      if (card) return reveal(card.deal.id, true)
      listOf(stageId)?.scrollToIndex(index, { align: 'nearest' })
      if (tries > 0) requestAnimationFrame(() => focusPlace(stageId, index, tries - 1))
    }

    function move(card: DealCard, stageId: string, keepFocus: boolean) {
      const moved = moveAndTell(card.deal, stageId)
      reveal(card.deal.id, keepFocus, stageId)
      void moved.then((stands) => {
        if (!stands) reveal(card.deal.id, keepFocus, card.deal.stage_id)
        // Where a column is read page by page, the card comes to its new place only now.
        else if (keepFocus && document.activeElement === document.body) reveal(card.deal.id, true, stageId)
      })
    }

    const actions: BoardActions = {
      step(card, direction) {
        const stages = columns().map(({ stage }) => stage)
        const stage = stageBeside(stages, card.deal.stage_id, direction)
        announce(stage ? spokenStep(card.deal.name, stage.name) : spokenEnd(card.deal.name, direction))
        if (stage) move(card, stage.id, true)
      },
      open: (card) => openRecord.current('deals', card.deal.id),
      select(card, isRange) {
        const id = card.deal.id
        const column = columns().find((candidate) => candidate.indexOf(id) >= 0)
        const from = isRange && anchor !== null ? (column?.indexOf(anchor) ?? -1) : -1
        if (column && anchor !== null && from >= 0) range(id, idsBetween(column, from, column.indexOf(id)))
        else toggle(id)
        anchor = id
      },
      openSheet: setSheet,
      focusNeighbour(card, key) {
        const from = findCard(columns(), card.deal.id)
        const to = from && neighbourOf(columns(), from, key, listOf)
        const stage = to && columns()[to.column]?.stage
        if (to && stage) focusPlace(stage.id, to.index)
      },
      quickAdd({ stage }) {
        if (adding.has(stage.id)) return
        adding.add(stage.id)
        listOf(stage.id)?.scrollToIndex(0, { align: 'start' })
        void quickCreateDeal({ id: stage.id, name: stage.name })
          .then(tellCreated)
          .finally(() => adding.delete(stage.id))
      },
      registerList(stageId, list) {
        if (list) lists.set(stageId, list)
        else lists.delete(stageId)
      },
    }

    function choose(card: DealCard, stageId: string) {
      setSheet(null)
      const stage = columns().find((column) => column.stage.id === stageId)?.stage
      if (!stage || stageId === card.deal.stage_id) return reveal(card.deal.id, true)
      announce(spokenStep(card.deal.name, stage.name))
      move(card, stageId, true)
    }

    const show = (dealId: string) => reveal(dealId, true)

    /** The card is about to leave its place by another's hand: if it has the focus, what follows in its place gets it. */
    function keepFocus(dealId: string, tries = 30) {
      const place = findCard(columns(), dealId)
      const stage = place && columns()[place.column]?.stage
      if (!stage || document.activeElement?.id !== cardElementId(dealId)) return
      const settle = (left: number) => {
        if (document.activeElement === document.body) {
          const count = columns().find((column) => column.stage.id === stage.id)?.count ?? 0
          if (count > 0) focusPlace(stage.id, Math.min(place.index, count - 1))
        } else if (left > 0) requestAnimationFrame(() => settle(left - 1))
      }
      requestAnimationFrame(() => settle(tries))
    }

    return { actions, move, show, keepFocus, choose }
  }, [scroller, toggle, range])

  return { ...verbs, selected, clearSelection: clear, sheet, closeSheet: () => setSheet(null) }
}

function idsBetween(column: BoardColumn, from: number, to: number): string[] {
  const ids: string[] = []
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
    const id = column.at(index)?.deal.id
    if (id) ids.push(id)
  }
  return ids
}

/** Where the moved card's own place is not on this device: the focus goes to the card that is the column's tab stop. */
function focusColumn(stageId: string) {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>(`[data-stage="${stageId}"] [data-deal][tabindex="0"]`)?.focus()
}

/** Scrolls the board sideways, never the page, until the column is wholly in sight. */
export function showColumn(scroller: HTMLElement | null, stageId: string, behavior: ScrollBehavior = 'auto') {
  const column = scroller?.querySelector<HTMLElement>(`[data-stage="${stageId}"]`)
  if (!scroller || !column) return
  const seen = scroller.getBoundingClientRect()
  const box = column.getBoundingClientRect()
  const left = box.left - seen.left
  const right = box.right - seen.right
  if (left < 0 || box.width > seen.width) scroller.scrollBy({ left, behavior })
  else if (right > 0) scroller.scrollBy({ left: right, behavior })
}
