import { useDevice } from '#web/data/browser/device.ts'
import { useLayoutEffect, useReducer, useState } from 'react'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import type { Board } from '#web/data/deals.ts'
import { boardReducer, untouchedBoard } from './board-state.ts'
import { createBoardActions } from './create-board-actions.ts'

/**
 * Returns the state of the board and its actions. The actions are the same objects in every render. `uncovered`: the id of a stage whose
 * column is not folded at first.
 */
export function useBoardActions({ columns }: Board, uncovered: string | null) {
  const device = useDevice()
  const [state, dispatch] = useReducer(boardReducer, { ...untouchedBoard, uncovered })
  const openRecord = useOpenRecord()
  const [{ follow, pressed, ...otherActions }] = useState(() => createBoardActions(device, dispatch, openRecord))
  useLayoutEffect(() => follow(columns), [follow, columns])
  useLayoutEffect(() => {
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [pressed])
  return { state, dispatch, ...otherActions }
}
