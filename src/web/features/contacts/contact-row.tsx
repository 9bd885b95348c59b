import { type KeyboardEvent, memo, type MouseEvent, type ReactNode } from 'react'
import { TagLine } from '#web/crm/tag-line.tsx'
import { RecordLink } from '#web/crm/record-link.tsx'
import type { ContactEntry } from '#web/data/contacts.ts'
import { customWords } from '#web/data/changes/custom-words.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { emailText } from '#web/ui/email-text.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { rowExtraClasses, tableRowClasses } from '#web/ui/table-row.ts'
import { factsOf } from './contact-facts.ts'

/**
 * The grid columns of the table. A table narrower than 900 px leaves out the job title and the custom fields (--more); a table narrower than
 * 620 px also leaves out the email. The phone number always stays, because people look for it. If the custom fields need more width (--wide),
 * the table scrolls horizontally. --end is the free space at the right end of each row.
 */
export const contactColumns =
  'pr-[var(--end,0.75rem)] grid-cols-[1rem_minmax(var(--name,0px),1.25fr)_minmax(0,1fr)_minmax(0,1.6fr)_minmax(8.25rem,0.8fr)_minmax(0,1.1fr)_var(--more,)] @max-[56.25rem]:grid-cols-[1rem_minmax(0,1.2fr)_minmax(0,1.3fr)_minmax(8.25rem,0.85fr)_minmax(0,0.85fr)] @max-[38.75rem]:grid-cols-[1rem_minmax(0,1.25fr)_minmax(8.25rem,1fr)_minmax(0,1fr)]'

/**
 * CSS classes that hide a column in narrower tables: the job title first, then the email. Custom fields are hidden together with the job
 * title.
 */
export const titleColumn = '@max-[56.25rem]:hidden'
export const emailColumn = '@max-[38.75rem]:hidden'
export const customColumn = titleColumn

/**
 * CSS classes by number of custom field columns: the grid tracks of these columns (--more), the minimum width of the name (--name), and the
 * width below which the table scrolls horizontally (--wide).
 */
export const customTrackClasses = [
  '',
  '[--more:minmax(0,0.9fr)] [--name:15rem] [--wide:67.5rem]',
  '[--more:repeat(2,minmax(0,0.9fr))] [--name:15rem] [--wide:76.25rem]',
  '[--more:repeat(3,minmax(0,0.9fr))] [--name:15rem] [--wide:85rem]',
  '[--more:repeat(4,minmax(0,0.9fr))] [--name:15rem] [--wide:93.75rem]',
] as const

/** CSS classes of a group of rows: it is at least --wide wide, or as narrow as the table if custom fields are hidden. */
export const rowGroupClasses = 'min-w-[var(--wide,0)] @max-[56.25rem]:min-w-0'

/**
 * CSS classes of the first two cells of a row, which stay in sight while the table scrolls horizontally. They have the row's background, so a row
 * needs an opaque one. The name's cell also covers the gap before it, and its end fades into the cells that scroll below it.
 */
const fixedCheckboxCell = 'sticky left-3 z-2 flex'
export const fixedNameCell =
  'sticky left-9 z-1 self-stretch bg-inherit before:absolute before:inset-y-0 before:right-full before:w-9 before:bg-inherit after:absolute after:inset-y-0 after:left-full after:w-4 after:bg-inherit after:[mask-image:linear-gradient(to_right,#000,transparent)]'

/** CSS classes of a text that is cut if it is too long. In a table without the job title column it wraps to a second line instead. */
const truncatedTextClasses =
  'truncate @max-[56.25rem]:line-clamp-2 @max-[56.25rem]:w-fit @max-[56.25rem]:max-w-full @max-[56.25rem]:text-start @max-[56.25rem]:text-sm/4.5 @max-[56.25rem]:whitespace-normal @max-[56.25rem]:wrap-anywhere'

export interface ContactRowProps {
  /** Undefined if the contact is not on this device yet. */
  entry: ContactEntry | undefined
  index: number
  selected: boolean
  /** Whether the contact's panel is open. */
  current: boolean
  onToggle: (id: string, index: number, range: boolean) => void
  /** The custom fields that are columns. */
  columns: readonly CustomField[]
}

/** A contact as a table row. A click opens its panel; a click with Ctrl, Cmd or Shift selects the row. */
export const ContactRow = memo(function ContactRow(props: ContactRowProps) {
  const { entry, index, selected, current, onToggle, columns } = props
  if (!entry) return <PlaceholderRow />
  const { id } = entry.contact
  const { name, title, email, phone, company, bare } = factsOf(entry)
  const shownName = name ?? email ?? phone
  const accessibleName = shownName ?? 'contact without a name'
  const choose = (event: MouseEvent<HTMLElement>) => onToggle(id, index, event.shiftKey)
  return (
    <div
      role="row"
      data-row=""
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selected}
      // The list hides a row until it is measured at its new index, and a hidden row loses the focus. The class `visible` prevents that.
      className={cx('visible', tableRowClasses(selected || current), !selected && !current && 'bg-bg', contactColumns)}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event) => handleRowClick(event, choose)}
      onKeyDown={(event) => event.key === 'x' && isPlain(event) && onToggle(id, index, false)}
    >
      <div role="cell" className={fixedCheckboxCell}>
        <span className={cx('flex', rowExtraClasses)}>
          <Checkbox checked={selected} onChange={noop} onClick={choose} label={`Select ${accessibleName}`} />
        </span>
      </div>
      <div role="cell" className={cx('-ml-2 flex min-w-0 items-center gap-2.5 font-medium', fixedNameCell)}>
        <Avatar name={name} size={28} />
        <RecordLink
          table="contacts"
          id={id}
          focusId={`contact-${id}`}
          data-row-focus=""
          data-searched=""
          aria-label={shownName ? undefined : accessibleName}
          aria-current={current || undefined}
          title={shownName ?? undefined}
          className={cx(truncatedTextClasses, 'rounded-badge', !name && 'text-ink2')}
        >
          {shownName ?? '–'}
        </RecordLink>
        {/* The tags get the space that the name leaves. */}
        {(entry.contact.tag_ids?.length ?? 0) > 0 && (
          <span className="@container flex min-w-2 flex-1 justify-end font-normal @max-[38.75rem]:hidden">
            <TagLine ids={entry.contact.tag_ids} maxTags={1} />
          </span>
        )}
      </div>
      {bare ? (
        <div role="cell" className="col-start-3 col-end-7 text-ink3 @max-[56.25rem]:-col-end-1">
          No contact details
        </div>
      ) : (
        <>
          <Cell className={titleColumn}>{title}</Cell>
          <Cell title={email} className={emailColumn}>
            {email && emailText(email)}
          </Cell>
          <Cell className="num">{phone}</Cell>
          <Cell>{company}</Cell>
        </>
      )}
      {columns.map((field) => (
        <Cell
          key={field.id}
          className={cx(customColumn, (field.type === 'number' || field.type === 'money') && 'num text-right')}
        >
          {customWords(field, entry.contact.custom?.[field.id])}
        </Cell>
      ))}
    </div>
  )
})

function isPlain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey
}

function noop() {}

/** Calls `choose`, except for a click on a control in the row or a click that selects text. */
function handleRowClick(event: MouseEvent<HTMLElement>, choose: (event: MouseEvent<HTMLElement>) => void): void {
  if (event.target instanceof Element && event.target.closest('a, input, button')) return
  if (event.ctrlKey || event.metaKey || event.shiftKey) choose(event)
  else if (!getSelection()?.toString()) event.currentTarget.querySelector<HTMLElement>('[data-row-focus]')?.click()
}

interface CellProps {
  children: ReactNode
  /** The tooltip of a text that may be cut. */
  title?: string | null
  className?: string
}

function Cell({ children, title = typeof children === 'string' ? children : null, className }: CellProps): ReactNode {
  return (
    <div role="cell" title={title || undefined} className={cx('min-w-0 text-ink2', className)}>
      <span data-searched="" className={cx('block', truncatedTextClasses)}>
        {children ?? '–'}
      </span>
    </div>
  )
}

export function PlaceholderRow() {
  return (
    <div aria-hidden="true" className={cx(tableRowClasses(), contactColumns)}>
      <span />
      <div className="-ml-2 flex items-center gap-2.5">
        <Skeleton className="size-7 rounded-full" />
        <Skeleton className="h-3 w-32" />
      </div>
      <Skeleton className={cx('h-3 w-24', titleColumn)} />
      <Skeleton className={cx('h-3 w-44 max-w-full', emailColumn)} />
      <Skeleton className="h-3 w-24" />
      <Skeleton className="h-3 w-28 max-w-full" />
    </div>
  )
}
