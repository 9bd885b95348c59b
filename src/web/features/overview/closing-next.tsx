import { RecordLink } from '#web/crm/record-link.tsx'
import { StageBadge } from '#web/crm/stage-badge.tsx'
import { useDealStages } from '#web/data/deal-stages.ts'
import { type DealCard, useClosingNext } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatDay, isPast } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Card } from '#web/ui/card.tsx'
import { cardLineClasses } from '#web/ui/card-line.ts'
import { Link } from '#web/ui/link.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'

const maxDeals = 4

/** The open deals with the next expected close dates. */
export function ClosingNext() {
  const { ready, cards } = useClosingNext(maxDeals)
  const phase = useSkeleton(ready)
  return (
    <Card aria-label="Closing next" className="p-5 pb-3 max-sm:p-4">
      <div className="mb-1 flex items-baseline justify-between">
        <h2 className="text-14/5">Closing next</h2>
        <Link
          to="/crm/deals"
          className="rounded-badge text-accent-text hover:underline max-sm:relative max-sm:z-1 max-sm:-mx-2 max-sm:-my-3 max-sm:px-2 max-sm:py-3"
        >
          All deals
        </Link>
      </div>
      {phase === 'content' && cards.length === 0 && <p className="py-3 text-ink3">No deals with a close date</p>}
      <ul className={tableClasses}>
        {phase === 'content' && cards.map((card) => <ClosingLine key={card.deal.id} card={card} />)}
        {phase !== 'content' &&
          [0, 1, 2, 3].map((index) => <PlaceholderLine key={index} visible={phase === 'skeleton'} />)}
      </ul>
    </Card>
  )
}

/** All rows share one grid, so that their columns have the same widths. */
const tableClasses =
  'grid grid-cols-[auto_minmax(0,1.4fr)_minmax(0,1fr)_auto_auto] gap-x-4 max-sm:grid-cols-[minmax(0,1fr)_auto]'
const lineClasses =
  'col-span-full grid h-10 grid-cols-subgrid items-center border-b border-line last:border-0 max-sm:h-14'

function ClosingLine({ card }: { card: DealCard }) {
  const { deal, companyName } = card
  const isLate = isPast(deal.expected_close_date)
  const dateClasses = cx('num', isLate ? 'font-medium text-danger' : 'text-ink2')
  const stage = useDealStages().stages.find(({ id }) => id === deal.stage_id)
  return (
    <li className={cx(lineClasses, cardLineClasses)}>
      <span title={isLate ? 'Overdue' : undefined} className={cx(dateClasses, 'max-sm:hidden')}>
        {formatDay(deal.expected_close_date)}
        {isLate && <span className="sr-only">, overdue</span>}
      </span>
      <span title={deal.name} className="truncate font-medium">
        <RecordLink
          table="deals"
          id={deal.id}
          className="rounded-badge after:absolute after:inset-0 max-sm:block max-sm:truncate"
        >
          {deal.name}
        </RecordLink>
        <span className={cx(dateClasses, 'block text-13/5 sm:hidden', !isLate && 'font-normal')}>
          {formatDay(deal.expected_close_date)}
          {isLate && ' (Overdue)'}
        </span>
      </span>
      <span title={companyName ?? undefined} className="truncate text-ink2 max-sm:hidden">
        {companyName}
      </span>
      <span className="text-right max-sm:hidden">{stage && <StageBadge stage={stage} />}</span>
      <span className="num text-right font-semibold whitespace-nowrap">
        {formatMoney(deal.amount, deal.amount_currency)}
      </span>
    </li>
  )
}

function PlaceholderLine({ visible }: { visible: boolean }) {
  return (
    <li aria-hidden="true" className={cx(lineClasses, !visible && 'invisible')}>
      <Skeleton className="h-3.5 w-12 max-sm:hidden" />
      <Skeleton className="h-3.5 w-36" />
      <Skeleton className="h-3.5 w-24 max-sm:hidden" />
      <Skeleton className="h-5 w-16 max-sm:hidden" />
      <Skeleton className="ml-auto h-3.5 w-14" />
    </li>
  )
}
