import { useMemo, useRef } from 'react'
import type { Board } from '#web/data/deals.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { BoardDrag } from './board-drag.tsx'
import { ColumnsNow } from './move-menu.tsx'
import { MoveSheet } from './move-sheet.tsx'
import { StageBar } from './stage-bar.tsx'
import { StageColumn } from './stage-column.tsx'
import { useBoardActions } from './use-board-actions.ts'

/** The board of one brand: stage bar (phone), columns, drag, 'Move to stage' menu and the sentences for screen readers. */
export function DealsBoard({ board }: { board: Board }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { actions, move, choose, sheet, closeSheet } = useBoardActions(board, scroller)

  const phone = useNarrow()
  const now = useMemo(() => ({ columns: board.columns, choose }), [board.columns, choose])

  return (
    <ColumnsNow value={now}>
      <StageBar columns={board.columns} scroller={scroller} />
      <BoardDrag board={board} onDrop={move}>
        {(shown, held) => (
          <div
            ref={scroller}
            data-board-scroller=""
            className={
              'relative flex min-h-0 flex-1 gap-3 overflow-x-auto overflow-y-hidden px-6 pb-6 ' +
              'max-sm:gap-2 max-sm:px-4 max-sm:pb-0 max-sm:scroll-px-4 max-sm:[scrollbar-width:none] ' +
              (held ? '' : 'max-sm:snap-x max-sm:snap-mandatory')
            }
          >
            {shown.columns.map((column, place) => (
              <StageColumn
                key={column.stage.id}
                column={column}
                place={place}
                liftedId={held?.from === column.stage.id ? held.dealId : null}
                phone={phone}
                actions={actions}
              />
            ))}
          </div>
        )}
      </BoardDrag>
      <MoveSheet card={sheet} columns={board.columns} onChoose={choose} onClose={closeSheet} />
    </ColumnsNow>
  )
}
