import { type ReactNode, memo } from 'react'
import type { ContactEntry } from '#web/data/contacts.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { tableRow } from '#web/ui/table-row.ts'
import { factsOf } from './contact-facts.ts'

export const contactColumns =
  'grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)_minmax(0,1.6fr)_minmax(0,0.8fr)_minmax(0,1.1fr)] max-lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1.4fr)_minmax(0,1fr)]'

/** Columns that give way where the window is narrower than a desk. */
export const wideOnly = 'max-lg:hidden'

/** A contact as a row of the table; undefined: not here yet. */
export const ContactRow = memo(function ContactRow({
  entry,
  index,
}: {
  entry: ContactEntry | undefined
  index: number
}) {
  if (!entry) return <PlaceholderRow />
  const { name, title, email, phone, company, bare } = factsOf(entry)
  return (
    <div role="row" aria-rowindex={index + 2} className={cx(tableRow(), contactColumns)}>
      <div role="cell" className="flex min-w-0 items-center gap-2.5 font-medium">
        <Avatar name={name} size={28} />
        <span title={name ?? undefined} className={cx('truncate', !name && 'text-ink2')}>
          {name ?? '–'}
        </span>
      </div>
      {bare ? (
        <div role="cell" className="col-span-4 text-ink3 max-lg:col-span-2">
          No contact details
        </div>
      ) : (
        <>
          <Cell className={wideOnly}>{title}</Cell>
          <Cell>{email}</Cell>
          <Cell className={cx('num', wideOnly)}>{phone}</Cell>
          <Cell>{company}</Cell>
        </>
      )}
    </div>
  )
})

function Cell({ children, className }: { children: string | null; className?: string }): ReactNode {
  return (
    <div role="cell" title={children ?? undefined} className={cx('truncate text-ink2', className)}>
      {children ?? '–'}
    </div>
  )
}

export function PlaceholderRow() {
  return (
    <div aria-hidden="true" className={cx(tableRow(), contactColumns)}>
      <div className="flex items-center gap-2.5">
        <Skeleton className="size-7 rounded-full" />
        <Skeleton className="h-3 w-32" />
      </div>
      <Skeleton className={cx('h-3 w-24', wideOnly)} />
      <Skeleton className="h-3 w-44" />
      <Skeleton className={cx('h-3 w-24', wideOnly)} />
      <Skeleton className="h-3 w-28" />
    </div>
  )
}
