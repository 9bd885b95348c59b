import { type ReactNode, Suspense, useRef } from 'react'
import type { Board, BoardColumn } from '#web/data/deals.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { cx } from '#web/lib/class-names.ts'
import { isApple } from '#web/lib/is-apple.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { BoardDrag } from './board-drag.tsx'
import { frozenBoard } from './board-state.ts'
import { firstDockedIndex } from './folded-stages.ts'
import { CurrentColumns } from './move-menu.tsx'
import { focusHead } from './stage-head.tsx'
import { StageColumn } from './stage-column.tsx'
import { useBoardActions } from './use-board-actions.ts'
import { useFoldedStages } from './use-folded-stages.ts'
import { useOpenCardInSight } from './use-open-card-in-sight.ts'

const SelectedDeals = lazyComponent(async () => (await import('./selected-deals.tsx')).SelectedDeals)

const ColleagueMoves = lazyComponent(async () => (await import('./colleague-moves.tsx')).ColleagueMoves)

const FocusKeeper = lazyComponent(async () => (await import('./focus-keeper.tsx')).FocusKeeper)

const StageBar = lazyComponent(async () => (await import('./stage-bar.tsx')).StageBar)

const MoveSheet = lazyComponent(async () => (await import('./move-sheet.tsx')).MoveSheet)

/** The deals board: stage bar (phone), columns, drag, 'Move to stage' menu and announcements. */
export function DealsBoard({
  board,
  currentId,
  stageId,
  narrowedBy,
  filter,
}: {
  board: Board
  /** The deal whose panel is open. */
  currentId: string | null
  /** The stage that the URL names when the board opens. Its column is not folded then. */
  stageId: string | null
  /**
   * The search and filter of the board, '' for none. While there is a search or filter, columns without deals are folded, and the phone shows a
   * column with deals.
   */
  narrowedBy: string
  /** The owner filter's control on the phone. */
  filter: ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const { state, dispatch, actions, move, show, uncover, focusSuccessor, focusPosition, isMoving, choose } =
    useBoardActions(board, stageId)
  const { selected, sheet, carried, naming, arrivals, uncovered } = state
  const shownBoard = frozenBoard(state) ?? board
  const phone = useNarrow()
  // On the phone, the filter and the stages are in two rows if there are several pipelines: the filter is then so wide that no stage would fit.
  const hasTwoRows = usePipelines().length > 1
  useOpenCardInSight(scroller, phone ? null : currentId, uncover)
  const { folded, fold } = useFoldedStages(shownBoard.columns, { phone, isNarrowed: narrowedBy !== '', uncovered })
  const dockIndex = firstDockedIndex(shownBoard.columns, folded)
  const columnAt = (column: BoardColumn, index: number, docked: boolean) => (
    <StageColumn
      key={column.stage.id}
      column={column}
      index={index}
      liftedId={carried?.from === column.stage.id ? carried.card.deal.id : null}
      phone={phone}
      folded={folded.has(column.stage.id)}
      docked={docked}
      selected={selected}
      arrivals={arrivals}
      currentId={currentId}
      namingId={naming}
      actions={actions}
    />
  )
  const setFolded = (stageId: string, isFolded: boolean) => {
    fold(stageId, isFolded)
    dispatch({ type: 'stage-uncovered', stageId: null })
    focusHead(stageId)
  }

  return (
    <CurrentColumns value={{ columns: board.columns, choose, fold: setFolded }}>
      {phone && (
        <div className={cx('flex shrink-0 flex-col gap-2', hasTwoRows ? 'min-h-25' : 'min-h-11.5')}>
          <Suspense>
            <StageBar
              columns={board.columns}
              scroller={scroller}
              filter={filter}
              ownRow={hasTwoRows}
              narrowedBy={narrowedBy}
              isBusy={shownBoard !== board || !!(sheet || naming || currentId || selected.size)}
            />
          </Suspense>
        </div>
      )}
      <BoardDrag
        board={shownBoard}
        state={state}
        dispatch={dispatch}
        onDrop={(card, stageId, byKeyboard) => void move(card, stageId, byKeyboard)}
      >
        <div className="flex min-h-0 flex-1">
          {/* With `overscroll-x-contain`, carrying a card to the right, or a swipe at the board's left end, does not trigger the browser's 'Back'. */}
          <div
            ref={scroller}
            data-board-scroller=""
            // A press that opens the browser's menu is ignored, because on some systems it has no release. On Apple's systems, Ctrl with a click
            // opens the menu, too.
            onPointerDownCapture={({ button, ctrlKey }) =>
              button || (ctrlKey && isApple) || dispatch({ type: 'pressed', board })
            }
            className={
              'relative flex min-h-0 flex-1 gap-3 overflow-x-auto overflow-y-hidden overscroll-x-contain px-6 pb-6 not-last:flex-initial not-last:pr-0 ' +
              'max-sm:gap-2 max-sm:px-4 max-sm:pb-0 max-sm:scroll-px-4 max-sm:[scrollbar-width:none] ' +
              (carried ? '' : 'max-sm:snap-x max-sm:snap-mandatory')
            }
          >
            {shownBoard.columns.slice(0, dockIndex).map((column, index) => columnAt(column, index, false))}
          </div>
          {dockIndex < shownBoard.columns.length && (
            <div className="flex gap-3 pr-6 pb-6 pl-3">
              {shownBoard.columns.slice(dockIndex).map((column, index) => columnAt(column, dockIndex + index, true))}
            </div>
          )}
        </div>
        <Suspense fallback={null}>
          <ColleagueMoves
            columns={board.columns}
            isFrozen={frozenBoard(state) !== null}
            dispatch={dispatch}
            onShow={show}
            onLeave={(dealId) => void focusSuccessor(dealId)}
          />
          <FocusKeeper board={scroller} columns={board.columns} focusPosition={focusPosition} isMoving={isMoving} />
        </Suspense>
      </BoardDrag>
      <Suspense fallback={null}>
        {selected.size > 0 && (
          <SelectedDeals
            selected={selected}
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
