import { useDroppable } from '@dnd-kit/core'
import { memo, useRef } from 'react'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import type { BoardColumn } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatSums } from '#web/lib/money.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { type Arrivals, hasArrivals } from './arrivals.ts'
import type { BoardActions } from './board-actions.ts'
import { ColumnList, type ListMemory } from './column-list.tsx'
import { useNear } from './use-near.ts'

/**
 * A stage of the board: name, count, total by currency (on several lines where it needs them), plus, and cards (spec section 2), 20rem wide. Far outside of the visible part it
 * keeps its header and place, without cards.
 */
export const StageColumn = memo(function StageColumn({
  column,
  place,
  liftedId,
  phone,
  selected,
  arrivals,
  currentId,
  namingId,
  actions,
}: {
  column: BoardColumn
  place: number
  liftedId: string | null
  phone: boolean
  /** The selected cards, and the one whose panel is open. */
  selected: ReadonlySet<string>
  currentId: string | null
  /** The deal whose name is edited on its card. */
  namingId: string | null
  /** Cards that colleagues have just moved. */
  arrivals: Arrivals
  actions: BoardActions
}) {
  const { stage, count, totals } = column
  const { isOver, setNodeRef } = useDroppable({ id: stage.id })
  const box = useRef<HTMLElement | null>(null)
  const near = useNear(box, place)
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
      className={cx(
        stageToneClass(stage.name),
        'flex w-80 shrink-0 snap-start flex-col rounded-column max-sm:w-[calc(100vw-3rem)] max-sm:rounded-b-none',
        isOver ? 'bg-accent-soft ring-2 ring-accent ring-inset' : 'bg-sunken',
        !isOver && hasArrivals(arrivals, column) && 'ring-1 ring-tone-dot/40 ring-inset',
      )}
    >
      <header className="relative z-1 flex min-h-11 shrink-0 items-center gap-2 py-1 pr-2 pl-3.5 max-sm:min-h-13 max-sm:pl-4">
        <span className="size-2 shrink-0 rounded-full bg-tone-dot max-sm:hidden" aria-hidden="true" />
        <h2 id={titleId} className="max-w-1/2 shrink-0 truncate text-sm text-tone max-sm:sr-only" title={stage.name}>
          {stage.name}
        </h2>
        <span className="contents max-sm:hidden">
          <CountBadge count={count.toLocaleString('en-GB')} />
        </span>
        <span className="num ml-auto min-w-0 text-right text-ink2 max-sm:mr-auto max-sm:ml-0 max-sm:text-left max-sm:font-semibold max-sm:text-ink">
          {formatSums(totals).replaceAll('+ ', '+\u00a0')}
        </span>
        <IconButton
          label={`New deal in ${stage.name}`}
          icon={<PlusIcon className="max-sm:size-5" />}
          size={28}
          onClick={() => void actions.quickAdd(column)}
        />
      </header>
      {(near || liftedId !== null) && count > 0 && (
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
