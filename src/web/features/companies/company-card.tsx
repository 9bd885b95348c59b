import { memo } from 'react'
import { TagLine } from '#web/crm/tag-line.tsx'
import { RecordLink } from '#web/crm/record-link.tsx'
import { type SortedField, SortedValue } from '#web/crm/sorted-value.tsx'
import type { PickableProps } from '#web/crm/use-picking.ts'
import type { CompanyEntry } from '#web/data/companies.ts'
import { useCompanyFigures } from '#web/data/company-figures.ts'
import { cx } from '#web/lib/class-names.ts'
import { countOf } from '#web/lib/count.ts'
import { formatSums } from '#web/lib/money.ts'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ExternalIcon, PhoneIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { rowExtraClasses } from '#web/ui/table-row.ts'
import { websiteOf } from './website.ts'

const cardClasses = 'flex flex-col rounded-card p-4'

export interface CompanyCardProps {
  /** Undefined if the company is not on this device yet. */
  entry: CompanyEntry | undefined
  index: number
  /** Whether the card is so narrow that a long name, website and phone need more than one line. */
  narrow: boolean
  sorted: SortedField
  selected: boolean
  /** Whether a tap selects the card (on the phone). */
  picking: boolean
  /** Whether the company's panel is open. */
  current: boolean
  onToggle: (id: string, index: number, range: boolean) => void
}

/** A company as a card, as high as its row. A click opens its panel; a click with Ctrl, Cmd or Shift selects the card. */
export const CompanyCard = memo(function CompanyCard(props: CompanyCardProps) {
  const { entry, index, narrow, sorted, selected, picking, current, onToggle } = props
  if (!entry) return <PlaceholderCompany />
  const { id, name, domain, website, phone, notes } = entry.company
  const pickable: PickableProps = { 'data-pick': id, 'data-pick-index': index }
  const hasNoDetails = !domain && !website && !phone && !notes
  return (
    <article
      data-row=""
      data-index={index}
      {...pickable}
      className={cx(
        cardClasses,
        'group/row relative shadow-card transition-[box-shadow,background-color] duration-[80ms] hover:shadow-pop max-sm:select-none max-sm:[-webkit-touch-callout:none]',
        selected || current ? 'bg-accent-soft' : 'bg-surface',
      )}
      onKeyDown={(event) => {
        if (event.key === 'x' && !event.ctrlKey && !event.metaKey && !event.altKey) onToggle(id, index, false)
      }}
      onClickCapture={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
        event.preventDefault()
        event.stopPropagation()
        onToggle(id, index, event.shiftKey)
      }}
    >
      <div className="flex items-start gap-3">
        <LetterTile name={name} size={40} />
        <div className="min-w-0 flex-1">
          <h2
            title={name}
            className={cx(
              'text-14/5 max-sm:text-16/5',
              narrow
                ? 'line-clamp-2 wrap-anywhere pointer-coarse:mr-6'
                : 'truncate max-sm:line-clamp-2 max-sm:whitespace-normal max-sm:wrap-anywhere',
            )}
          >
            <RecordLink
              table="companies"
              id={id}
              focusId={`company-${id}`}
              data-row-focus=""
              data-searched=""
              aria-current={current || undefined}
              className="after:absolute after:inset-0 after:rounded-card"
            >
              {name}
            </RecordLink>
          </h2>
          {domain && (
            <p title={domain} data-searched="" className="truncate text-ink2">
              {domain}
            </p>
          )}
        </div>
        <span
          className={cx(
            'z-1 flex',
            !picking && 'max-sm:hidden',
            narrow ? 'absolute top-2 right-2' : 'relative',
            rowExtraClasses,
          )}
        >
          <Checkbox
            checked={selected}
            onChange={(event) =>
              onToggle(id, index, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
            }
            label={`Select ${name}`}
          />
        </span>
      </div>
      {hasNoDetails ? (
        <p className="mt-3 text-ink3">No additional details</p>
      ) : (
        <>
          {(website || phone) && (
            <div
              className={cx(
                'mt-3 flex min-w-0',
                narrow ? 'flex-col items-start gap-0.5' : 'items-center gap-4 max-sm:flex-wrap max-sm:gap-y-1',
              )}
            >
              {website && <Website text={website} />}
              {phone && (
                <span className="num flex shrink-0 items-center gap-1.5 text-ink2">
                  <PhoneIcon className="text-ink3" />
                  {phone}
                </span>
              )}
            </div>
          )}
          {notes && (
            <p title={notes} className="mt-2 line-clamp-2 break-words text-ink2">
              {notes}
            </p>
          )}
        </>
      )}
      <SortedValue field={sorted} record={entry.company} className="mt-2" />
      <TagLine ids={entry.company.tag_ids} maxTags={3} className="mt-2" />
      <Figures companyId={id} />
    </article>
  )
})

/** The last line: '3 contacts · 2 deals · £12,400 + €3,000 open'. It keeps its space while loading, and is left out if all numbers are 0. */
function Figures({ companyId }: { companyId: string }) {
  const figures = useCompanyFigures(companyId)
  if (!figures) return <p aria-hidden="true" className="mt-auto h-7" />
  const { contacts, deals, open } = figures
  const parts = [
    contacts > 0 && countOf(contacts, 'contact', 'contacts'),
    deals > 0 && countOf(deals, 'deal', 'deals'),
    open.length > 0 && `${formatSums(open)} open`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return <p className="num mt-auto pt-2 text-ink2">{parts.join(' · ')}</p>
}

/** A website as a link, or as text if it is not a URL. On the phone the touch target is as high as the line and its margins. */
function Website({ text }: { text: string }) {
  const { href, label } = websiteOf(text)
  if (!href) {
    return (
      <span title={text} data-searched="" className="min-w-0 truncate text-ink2">
        {label}
      </span>
    )
  }
  return (
    <a
      href={href}
      title={text}
      target="_blank"
      rel="noopener noreferrer"
      className="relative z-1 flex min-w-0 max-w-full items-center gap-1.5 rounded-badge text-accent-text hover:underline max-sm:before:absolute max-sm:before:-inset-y-3 max-sm:before:inset-x-0"
    >
      <span data-searched="" className="truncate">
        {label}
      </span>
      <ExternalIcon className="shrink-0" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}

export function PlaceholderCompany() {
  return (
    <div aria-hidden="true" className={cx(cardClasses, 'h-38 bg-surface shadow-card max-sm:h-40')}>
      <div className="flex items-center gap-3">
        <Skeleton className="size-10 rounded-card" />
        <div className="space-y-2">
          <Skeleton className="h-3.5 w-36" />
          <Skeleton className="h-3 w-28" />
        </div>
      </div>
      <Skeleton className="mt-4 h-3 w-44" />
      <Skeleton className="mt-4 h-3 w-full" />
    </div>
  )
}
