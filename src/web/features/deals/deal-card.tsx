import { useDraggable } from '@dnd-kit/core'
import { type ComponentPropsWithRef, type KeyboardEvent, type MouseEvent, memo, Suspense } from 'react'
import type { DealCard } from '#web/data/deals.ts'
import { tagsIn, useTags } from '#web/data/tags.ts'
import type { Mover } from '#web/data/remote-moves.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { type BoardActions, focusKeyOf } from './board-actions.ts'
import { MoveMark } from './card-icons.tsx'
import { cardLabel, DealCardFace } from './deal-card-face.tsx'
import { MoveToStageItems } from './move-menu.tsx'

const NameOnCard = lazyComponent(async () => (await import('./name-on-card.tsx')).NameOnCard)

interface CardProps {
  card: DealCard
  index: number
  count: number
  tabStop: boolean
  phone: boolean
  overdue: boolean
  /** Further points that need attention, in words. */
  sign: string | null
  selected: boolean
  /** Whether the deal's panel is open. */
  current: boolean
  /** Whether the deal's name is being edited on the card. */
  naming: boolean
  /** The colleague who has just moved the card here; null if unknown, undefined if nobody has. */
  mover: Mover | null | undefined
  actions: BoardActions
}

/** The props that the drag library gives to a card. They change only for the carried card, so the other cards do not render again. */
interface DragProps
  extends Pick<ReturnType<typeof useDraggable>, 'listeners' | 'setNodeRef' | 'setActivatorNodeRef' | 'isDragging'> {
  /** The id of the instructions for screen readers. */
  instructions: string | undefined
}

/**
 * A card in its column that can be dragged. The drag library renders all of these components when a card is lifted and whenever the
 * carried card moves over another column, so this component contains nothing else.
 */
export const DraggableDealCard = memo(function DraggableDealCard(props: CardProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, isDragging } = useDraggable({
    id: props.card.deal.id,
  })
  const drag = { listeners, setNodeRef, setActivatorNodeRef, isDragging, instructions: attributes['aria-describedby'] }
  return <DealCardInColumn {...props} {...drag} />
})

/**
 * The card. It handles the keys of the board and has a 'Move to stage' menu. Only one card of a column is a tab stop (`tabStop`); arrow
 * keys reach the others. A click, a tap or Enter opens the deal. The key `x`, or a click with Ctrl or Cmd (with Shift for a range),
 * selects the card. On the phone a long press lifts the card, and the menu is a sheet.
 */
const DealCardInColumn = memo(function DealCardInColumn({
  card,
  index,
  count,
  tabStop,
  phone,
  overdue,
  sign,
  selected,
  current,
  naming,
  mover,
  actions,
  listeners,
  setNodeRef,
  setActivatorNodeRef,
  isDragging,
  instructions,
}: CardProps & DragProps) {
  const id = card.deal.id
  const tags = tagsIn(useTags(), card.deal.tag_ids)
    .map(({ name }) => name)
    .join(', ')
  const tabIndex = tabStop ? 0 : -1

  function handleKey(event: KeyboardEvent<HTMLElement>) {
    if (event.target !== event.currentTarget) return
    listeners?.onKeyDown?.(event)
    if (!isDragging && !event.ctrlKey && !event.altKey && !event.metaKey) {
      if (event.key === 'Enter') actions.open(card)
      else if (event.key === 'x') actions.select(card, false)
    }
    const key = focusKeyOf(event)
    if (!key) return
    event.preventDefault()
    if (!isDragging) actions.walk(card, key, event.shiftKey)
  }

  function handleClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) actions.select(card, event.shiftKey)
    else actions.open(card)
  }

  return (
    <div role="listitem" aria-posinset={index + 1} aria-setsize={count} className="group/card relative">
      <div
        ref={(node) => {
          setNodeRef(node)
          setActivatorNodeRef(node)
        }}
        {...listeners}
        onKeyDown={handleKey}
        onClick={handleClick}
        id={cardElementId(id)}
        data-deal={id}
        role="group"
        tabIndex={tabIndex}
        aria-label={`${cardLabel(card, overdue, tags, sign)}${selected ? ', selected' : ''}`}
        aria-current={current || undefined}
        aria-roledescription="deal card"
        aria-describedby={instructions}
        className="touch-manipulation select-none rounded-card [-webkit-touch-callout:none]"
      >
        <DealCardFace
          card={card}
          look={isDragging ? 'place' : 'resting'}
          overdue={overdue}
          sign={sign}
          marked={current || selected}
          selected={selected}
          arrived={mover !== undefined}
          field={
            naming && (
              <Suspense>
                <NameOnCard deal={card.deal} onEnd={() => actions.endNaming(id)} />
              </Suspense>
            )
          }
        />
      </div>
      {mover && <MoverChip mover={mover} />}
      {naming ? null : phone ? (
        <MoveButton card={card} tabIndex={tabIndex} aria-haspopup="dialog" onClick={() => actions.openSheet(card)} />
      ) : (
        <Menu label="Move to stage" trigger={<MoveButton card={card} tabIndex={tabIndex} />}>
          <MoveToStageItems card={card} />
        </Menu>
      )}
    </div>
  )
})

/**
 * A chip on the upper edge of the card with the colleague who has just moved it. Hidden from screen readers, because the toast says the
 * same.
 */
function MoverChip({ mover }: { mover: Mover }) {
  return (
    <span
      aria-hidden="true"
      data-mover=""
      className="appear pointer-events-none absolute -top-2 right-2.5 z-10 flex h-5 max-w-[60%] items-center gap-1 rounded-full bg-tone-soft pr-2 pl-0.5 text-xs font-medium text-tone outline-1 outline-tone-dot/50"
    >
      <Avatar name={mover.name} size={16} />
      <span className="truncate">{mover.shortName}</span>
    </span>
  )
}

/**
 * The button of the 'Move to stage' menu; visible under the pointer, on focus and on touch screens. It is in the company's line, which leaves
 * space for it. On a card without a company, the button covers the end of the name, never the amount.
 */
function MoveButton({ card, ...buttonProps }: { card: DealCard; tabIndex: number } & ComponentPropsWithRef<'button'>) {
  const { amount, amount_currency } = card.deal
  const offset = card.companyName === null && { right: `calc(${formatMoney(amount, amount_currency).length}ch + 14px)` }
  return (
    <button
      type="button"
      {...buttonProps}
      aria-label={`Move ${card.deal.name} to stage`}
      title="Move to stage"
      style={offset || undefined}
      className={cx(
        'absolute right-2 grid size-6 place-items-center rounded-badge bg-surface opacity-0 hover:bg-hover',
        'focus-visible:opacity-100 group-hover/card:opacity-100 group-has-focus-visible/card:opacity-100',
        'aria-expanded:bg-active aria-expanded:opacity-100 [@media(hover:none)]:opacity-100',
        'max-sm:right-1 max-sm:size-11 max-sm:bg-transparent',
        card.companyName === null ? 'top-2 max-sm:top-px' : 'top-8 max-sm:top-7.25',
      )}
    >
      <MoveMark />
    </button>
  )
}

/** Returns the id of the focusable element of a deal's card. */
export function cardElementId(dealId: string): string {
  return `deal-${dealId}`
}
