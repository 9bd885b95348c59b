import { lazy, type ReactNode, Suspense, useMemo, useRef } from 'react'
import type { Board } from '#web/data/deals.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { BoardDrag } from './board-drag.tsx'
import { frozenBoard } from './board-state.ts'
import { CurrentColumns } from './move-menu.tsx'
import { StageBar } from './stage-bar.tsx'
import { StageColumn } from './stage-column.tsx'
import { useBoardActions } from './use-board-actions.ts'
import { useOpenCardInSight } from './use-open-card-in-sight.ts'

const SelectedDeals = lazy(async () => ({ default: (await import('./selected-deals.tsx')).SelectedDeals }))

const ColleagueMoves = lazy(async () => ({ default: (await import('./colleague-moves.tsx')).ColleagueMoves }))

const MoveSheet = lazy(async () => ({ default: (await import('./move-sheet.tsx')).MoveSheet }))

/** The board of one brand: stage bar (phone), columns, drag, 'Move to stage' menu and announcements. */
export function DealsBoard({
  board,
  currentId,
  filter,
}: {
  board: Board
  /** The deal whose panel is open. */
  currentId: string | null
  /** Chooses whose deals are shown, on the phone. */
  filter: ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const { state, dispatch, actions, move, show, uncover, focusSuccessor, choose } = useBoardActions(board)
  const { selected, sheet, carried, naming, arrivals } = state
  const shown = frozenBoard(state) ?? board
  const phone = useNarrow()
  useOpenCardInSight(scroller, phone ? null : currentId, uncover)
  const now = useMemo(() => ({ columns: board.columns, choose }), [board.columns, choose])

  return (
    <CurrentColumns value={now}>
      <StageBar columns={board.columns} scroller={scroller} filter={filter} />
      <BoardDrag
        board={shown}
        state={state}
        dispatch={dispatch}
        onDrop={(card, stageId, byKeyboard) => void move(card, stageId, byKeyboard)}
      >
        {/* Contained: carrying a card to the right, or a swipe at the board's left end, must not trigger the browser's 'Back'. */}
        <div
          ref={scroller}
          data-board-scroller=""
          onPointerDownCapture={() => dispatch({ type: 'pressed', board })}
          className={
            'relative flex min-h-0 flex-1 gap-3 overflow-x-auto overflow-y-hidden overscroll-x-contain px-6 pb-6 ' +
            'max-sm:gap-2 max-sm:px-4 max-sm:pb-0 max-sm:scroll-px-4 max-sm:[scrollbar-width:none] ' +
            (carried ? '' : 'max-sm:snap-x max-sm:snap-mandatory')
          }
        >
          {shown.columns.map((column, place) => (
            <StageColumn
              key={column.stage.id}
              column={column}
              place={place}
              liftedId={carried?.from === column.stage.id ? carried.card.deal.id : null}
              phone={phone}
              selected={selected}
              arrivals={arrivals}
              currentId={currentId}
              namingId={naming}
              actions={actions}
            />
          ))}
        </div>
        <Suspense fallback={null}>
          <ColleagueMoves
            columns={board.columns}
            isFrozen={frozenBoard(state) !== null}
            dispatch={dispatch}
            onShow={show}
            onLeave={(dealId) => void focusSuccessor(dealId)}
          />
        </Suspense>
      </BoardDrag>
      <Suspense fallback={null}>
        {selected.size > 0 && (
          <SelectedDeals
            ids={[...selected]}
            columns={board.columns}
            onClear={() => dispatch({ type: 'selection-cleared' })}
          />
        )}
        {phone && (
          <MoveSheet
            card={sheet}
            columns={board.columns}
            onChoose={choose}
            onClose={() => dispatch({ type: 'sheet-closed' })}
          />
        )}
      </Suspense>
    </CurrentColumns>
  )
}
