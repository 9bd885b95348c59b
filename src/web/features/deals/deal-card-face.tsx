import { memo, type ReactNode } from 'react'
import { TagLine } from '#web/crm/tag-line.tsx'
import type { DealCard } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { noNextTask } from './deal-sign.ts'
import { BuildingMark, CalendarMark, ClockMark, ContactMark, NoTaskMark } from './card-icons.tsx'

export type CardLook = 'resting' | 'lifted' | 'place'

/**
 * The content of a deal's card: name, currency and amount, company, contact and expected close date (spec section 2), tags and owner. Empty
 * lines are left out. A long name is cut, and a tooltip shows all of it; amounts and dates are never cut. The look `place` is the faded
 * card that stays in the column while the card is carried.
 */
export const DealCardFace = memo(function DealCardFace({
  card,
  look,
  overdue = false,
  sign = null,
  marked = false,
  selected = false,
  arrived = false,
  field = null,
}: {
  card: DealCard
  look: CardLook
  /** Whether the close date has passed and the deal is still open. */
  overdue?: boolean
  /** Further points that need attention, in words. A small sign on the card stands for them. */
  sign?: string | null
  /** Whether the card is outlined, because it is selected or its panel is open. */
  marked?: boolean
  selected?: boolean
  /** Whether a colleague has just moved the card here. */
  arrived?: boolean
  /** A field that is shown over the name. */
  field?: ReactNode
}) {
  const { deal, contactName, companyName, ownerName } = card
  const closeDate = deal.expected_close_date
  /** True if the sign only says that a next task is missing. The phone has no tooltip to explain the sign, so the sign is left out there. */
  const isNoTaskOnly = sign === noNextTask
  const hasLine = contactName !== null || closeDate !== null || ownerName !== null
  return (
    <div
      aria-hidden={look === 'place' || undefined}
      className={cx(
        'rounded-card px-3 py-2.5 text-sm max-sm:px-3.5 max-sm:py-3',
        selected ? 'bg-accent-soft' : 'bg-surface',
        marked
          ? 'outline-2 -outline-offset-2 outline-accent'
          : arrived && 'outline-2 -outline-offset-2 outline-tone-dot',
        arrived && 'arrive',
        look === 'lifted' ? 'h-full rotate-[1.4deg] shadow-dialog transition-[rotate] duration-150' : 'shadow-card',
        look === 'lifted' && 'in-[.deal-settling]:rotate-0',
        look === 'place' && 'opacity-40',
        look === 'resting' && 'transition-shadow duration-80 group-hover/card:shadow-pop',
      )}
    >
      <div className="flex gap-3">
        <span className={cx('relative flex min-w-0 flex-1', companyName === null && 'max-sm:pr-6')}>
          <span className="min-w-0 flex-1 truncate font-medium" data-searched="" title={deal.name}>
            {deal.name}
          </span>
          {field}
        </span>
        <span className="num shrink-0 font-semibold">{formatMoney(deal.amount, deal.amount_currency)}</span>
      </div>
      {companyName !== null && (
        <div className="mt-1 flex items-center gap-2 pr-8 text-ink2 max-sm:mt-1.5 max-sm:pr-7">
          <BuildingMark />
          <span className="min-w-0 truncate" data-searched="" title={companyName}>
            {companyName}
          </span>
        </div>
      )}
      <TagLine ids={deal.tag_ids} maxTags={2} plain className="mt-1.5" />
      {(hasLine || sign !== null) && (
        <div
          className={cx(
            'mt-1 flex items-center gap-2 text-ink2 max-sm:mt-1.5',
            isNoTaskOnly && !hasLine && 'max-sm:hidden',
          )}
        >
          {contactName !== null && (
            <>
              <ContactMark />
              <span className="min-w-0 truncate" data-searched="" title={contactName}>
                {contactName}
              </span>
            </>
          )}
          {sign !== null && (
            <span
              className={cx('ml-auto flex shrink-0', isNoTaskOnly ? 'max-sm:hidden' : '[&>svg]:text-warn')}
              title={sign}
            >
              {isNoTaskOnly ? <NoTaskMark /> : <ClockMark />}
            </span>
          )}
          {closeDate !== null && (
            <span
              className={cx(
                'num flex shrink-0 items-center gap-1.5',
                sign === null ? 'ml-auto' : isNoTaskOnly && 'max-sm:ml-auto',
                overdue && 'font-medium text-danger',
              )}
              title={overdue ? 'Overdue' : undefined}
            >
              <CalendarMark />
              {formatDay(closeDate)}
            </span>
          )}
          {ownerName !== null && (
            <span
              className={cx(
                'flex',
                closeDate === null && (sign === null ? 'ml-auto' : isNoTaskOnly && 'max-sm:ml-auto'),
              )}
              title={`Owner: ${ownerName}`}
            >
              <Avatar name={ownerName} size={20} />
            </span>
          )}
        </div>
      )}
    </div>
  )
})

/**
 * Returns the content of a card for screen readers: its parts, with commas between them. `tags`: the names of the deal's tags, as one text.
 * `sign`: what else needs attention, in words (`dealSign`).
 */
export function cardLabel(
  { deal, contactName, companyName, ownerName }: DealCard,
  overdue: boolean,
  tags: string,
  sign: string | null,
): string {
  return [
    deal.name,
    formatMoney(deal.amount, deal.amount_currency),
    companyName,
    contactName,
    deal.expected_close_date &&
      `${overdue ? 'overdue, was to close' : 'closes'} ${formatDay(deal.expected_close_date)}`,
    ownerName && `owner ${ownerName}`,
    tags && `tagged ${tags}`,
    sign,
  ]
    .filter(Boolean)
    .join(', ')
}
