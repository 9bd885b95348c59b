import { useDroppable } from '@dnd-kit/core'
import { memo, useRef } from 'react'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import type { BoardColumn } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { type Arrivals, hasArrivals } from './arrivals.ts'
import type { BoardActions } from './board-actions.ts'
import { ColumnList, type ListMemory } from './column-list.tsx'
import { StageHead, StageStrip } from './stage-head.tsx'
import { useIsNearView } from './use-is-near-view.ts'

/**
 * A column of the board: its head and its cards (spec section 2), 20rem wide. Folded, it is a strip, on which cards can still be dropped.
 * Far outside of the visible area it keeps its head and its space, but renders no cards.
 */
export const StageColumn = memo(function StageColumn({
  column,
  index,
  liftedId,
  phone,
  folded,
  docked,
  selected,
  arrivals,
  currentId,
  namingId,
  actions,
}: {
  column: BoardColumn
  index: number
  /** The deal of the carried card, if the card was lifted from this column. */
  liftedId: string | null
  phone: boolean
  folded: boolean
  /** Whether the column is docked at the right of the board and does not scroll with it. */
  docked: boolean
  /** The ids of the selected deals. */
  selected: ReadonlySet<string>
  /** The deal whose panel is open. */
  currentId: string | null
  /** The deal whose name is edited on its card. */
  namingId: string | null
  /** Cards that colleagues have just moved. */
  arrivals: Arrivals
  actions: BoardActions
}) {
  const { stage, count } = column
  const { isOver, setNodeRef } = useDroppable({ id: stage.id, data: { docked } })
  const box = useRef<HTMLElement | null>(null)
  const isNear = useIsNearView(box, index)
  const memory = useRef<ListMemory | null>(null)
  const titleId = `stage-${stage.id}`

  return (
    <section
      ref={(node) => {
        box.current = node
        setNodeRef(node)
      }}
      aria-labelledby={titleId}
      data-stage={stage.id}
      data-folded={folded || undefined}
      className={cx(
        stageToneClass(stage),
        folded
          ? 'relative flex w-11 shrink-0 flex-col rounded-column hover:bg-hover'
          : 'flex w-80 shrink-0 snap-start flex-col rounded-column max-sm:w-[calc(100vw-3rem)] max-sm:rounded-b-none',
        isOver ? 'bg-accent-soft ring-2 ring-accent ring-inset' : 'bg-sunken',
        !isOver && hasArrivals(arrivals, column) && 'ring-1 ring-tone-dot/40 ring-inset',
      )}
    >
      {folded ? (
        <StageStrip column={column} titleId={titleId} actions={actions} />
      ) : (
        <StageHead column={column} titleId={titleId} actions={actions} />
      )}
      {!folded && (isNear || liftedId !== null) && count > 0 && (
        <ColumnList
          column={column}
          liftedId={liftedId}
          phone={phone}
          selected={selected}
          arrivals={arrivals}
          currentId={currentId}
          namingId={namingId}
          actions={actions}
          memory={memory}
        />
      )}
    </section>
  )
})
