import { type RefObject, useMemo, useRef, useState } from 'react'
import { type Board, type BoardColumn, type DealCard, quickCreateDeal } from '#web/data/deals.ts'
import { useSelection } from '#web/lib/use-selection.ts'
import { isFocusLost } from '#web/ui/focus.ts'
import { announce } from '#web/ui/live-region.ts'
import { spokenEnd, spokenStep } from './announcements.ts'
import type { BoardActions, ColumnListHandle } from './board-actions.ts'
import { boardFocus } from './board-focus.ts'
import { findCard, neighbourOf, stageBeside } from './board-neighbours.ts'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import { tellCreated } from './create-outcome.ts'
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
    const last: { id: string | null } = { id: null }
    const listOf = (stageId: string) => lists.get(stageId) ?? null
    const columns = () => latest.current.columns

    const { reveal, focusPlace, focusSuccessor } = boardFocus({ columns, lists, scroller })

    /** `focus`: the card has the focus also at its new place. */
    async function move(card: DealCard, stageId: string, focus: boolean): Promise<void> {
      const { id, stage_id: from } = card.deal
      const moving = moveAndTell(card.deal, stageId)
      void reveal(id, { focus, stageId })
      const isMoved = await moving
      if (!isMoved) await reveal(id, { focus, stageId: from })
      // Where a column is read page by page, the card comes to its new place only now.
      else if (focus && isFocusLost()) await reveal(id, { focus, stageId })
    }

    const actions: BoardActions = {
      step(card, direction) {
        const stages = columns().map(({ stage }) => stage)
        const stage = stageBeside(stages, card.deal.stage_id, direction)
        announce(stage ? spokenStep(card.deal.name, stage.name) : spokenEnd(card.deal.name, direction))
        if (stage) void move(card, stage.id, true)
      },
      open: (card) => openRecord.current('deals', card.deal.id),
      select(card, isRange) {
        const id = card.deal.id
        const column = columns().find((candidate) => candidate.indexOf(id) >= 0)
        const from = isRange && last.id !== null ? (column?.indexOf(last.id) ?? -1) : -1
        if (column && from >= 0) range(id, idsBetween(column, from, column.indexOf(id)))
        else toggle(id)
        last.id = id
      },
      openSheet: setSheet,
      focusNeighbour(card, key) {
        const from = findCard(columns(), card.deal.id)
        const to = from && neighbourOf(columns(), from, key, listOf)
        const stage = to && columns()[to.column]?.stage
        if (to && stage) void focusPlace(stage.id, to.index)
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
      if (!stage || stageId === card.deal.stage_id) return void reveal(card.deal.id, { focus: true })
      announce(spokenStep(card.deal.name, stage.name))
      void move(card, stageId, true)
    }

    const show = (dealId: string) => void reveal(dealId, { focus: true })

    return { actions, move, show, focusSuccessor, choose }
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
