import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import type { Board } from '#web/data/deals.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { type Arrivals, noArrivals } from './arrivals.ts'
import { BoardDrag } from './board-drag.tsx'
import { ColumnsNow } from './move-menu.tsx'
import { MoveSheet } from './move-sheet.tsx'
import { StageBar } from './stage-bar.tsx'
import { StageColumn } from './stage-column.tsx'
import { useBoardActions } from './use-board-actions.ts'

const SelectedDeals = lazy(async () => ({ default: (await import('./selected-deals.tsx')).SelectedDeals }))

const ColleagueMoves = lazy(async () => ({ default: (await import('./colleague-moves.tsx')).ColleagueMoves }))

/** The board of one brand: stage bar (phone), columns, drag, 'Move to stage' menu and the sentences for screen readers. */
export function DealsBoard({
  board,
  currentId,
  mine,
  onMine,
}: {
  board: Board
  /** The deal whose panel is open. */
  currentId: string | null
  mine: boolean
  onMine: (mine: boolean) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const { actions, move, show, focusSuccessor, choose, selected, clearSelection, sheet, closeSheet } = useBoardActions(
    board,
    scroller,
  )

  const phone = useNarrow()
  const [arrivals, setArrivals] = useState<Arrivals>(noArrivals)
  const now = useMemo(() => ({ columns: board.columns, choose }), [board.columns, choose])

  return (
    <ColumnsNow value={now}>
      <StageBar columns={board.columns} scroller={scroller} mine={mine} onMine={onMine} />
      <BoardDrag board={board} onDrop={(card, stageId, byKeyboard) => void move(card, stageId, byKeyboard)}>
        {(shown, { card: held, still, press }) => (
          <>
            {/* Contained: a card carried to the right, or a swipe at the board's left end, must not be the browser's 'Back'. */}
            <div
              ref={scroller}
              data-board-scroller=""
              onPointerDownCapture={press}
              className={
                'relative flex min-h-0 flex-1 gap-3 overflow-x-auto overflow-y-hidden overscroll-x-contain px-6 pb-6 ' +
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
                  selected={selected}
                  arrivals={arrivals}
                  currentId={currentId}
                  actions={actions}
                />
              ))}
            </div>
            <Suspense fallback={null}>
              <ColleagueMoves
                columns={board.columns}
                held={still}
                setArrivals={setArrivals}
                onShow={show}
                onLeave={(dealId) => void focusSuccessor(dealId)}
              />
            </Suspense>
          </>
        )}
      </BoardDrag>
      <Suspense fallback={null}>
        {selected.size > 0 && <SelectedDeals ids={[...selected]} columns={board.columns} onClear={clearSelection} />}
      </Suspense>
      <MoveSheet card={sheet} columns={board.columns} onChoose={choose} onClose={closeSheet} />
    </ColumnsNow>
  )
}
