import { memo, type ReactNode } from 'react'
import { TagLine } from '#web/crm/tag-line.tsx'
import { RecordLink } from '#web/crm/record-link.tsx'
import { SortedValue } from '#web/crm/sorted-value.tsx'
import type { ContactEntry } from '#web/data/contacts.ts'
import type { PickableProps } from '#web/crm/use-picking.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { emailText } from '#web/ui/email-text.tsx'
import { BuildingIcon, MailIcon, PhoneIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { factsOf } from './contact-facts.ts'

interface ContactCardProps {
  /** Undefined if the contact is not on this device yet. */
  entry: ContactEntry | undefined
  index: number
  /** The custom field by which the list is sorted. */
  sorted: CustomField | null
  /** Whether the contact's panel is open. */
  current: boolean
  /** Whether a tap selects the card. */
  picking: boolean
  selected: boolean
  onToggle: (id: string, index: number, range: boolean) => void
}

/** A contact as a card on the phone. A tap opens its panel; a long press starts a selection. */
export const ContactCard = memo(function ContactCard(props: ContactCardProps) {
  const { entry, index, sorted, current, picking, selected, onToggle } = props
  if (!entry) return <PlaceholderCard />
  const { name, title, email, phone, company, bare } = factsOf(entry)
  const shownName = name ?? email ?? phone
  const accessibleName = shownName ?? 'Contact without a name'
  const pickable: PickableProps = { 'data-pick': entry.contact.id, 'data-pick-index': index }
  return (
    <article
      {...pickable}
      className={cx(
        'relative flex gap-3.5 rounded-card p-4 shadow-card select-none active:bg-hover [-webkit-touch-callout:none]',
        selected ? 'bg-accent-soft' : 'bg-surface',
      )}
    >
      <Avatar name={name} size={48} />
      <div className="min-w-0 flex-1">
        <h2 className="line-clamp-2 text-16/6 font-medium wrap-anywhere">
          <RecordLink
            table="contacts"
            id={entry.contact.id}
            focusId={`contact-${entry.contact.id}`}
            data-row-focus=""
            data-searched=""
            aria-label={shownName ? undefined : accessibleName}
            aria-current={current || undefined}
            className="after:absolute after:inset-0 after:rounded-card"
          >
            {shownName ?? '–'}
          </RecordLink>
        </h2>
        {title && (
          <p data-searched="" className="truncate text-ink2">
            {title}
          </p>
        )}
        <SortedValue field={sorted} record={entry.contact} />
        <TagLine ids={entry.contact.tag_ids} maxTags={3} className="mt-1.5" />
        {bare ? (
          <p className="text-ink3">No contact details</p>
        ) : (
          <div className="mt-1.5 flex flex-col gap-1 text-ink2">
            <Fact icon={<MailIcon />}>{email ? emailText(email) : null}</Fact>
            <Fact icon={<PhoneIcon />}>{phone || null}</Fact>
            <Fact icon={<BuildingIcon />}>{company}</Fact>
          </div>
        )}
      </div>
      {picking && (
        <Checkbox
          checked={selected}
          onChange={() => onToggle(entry.contact.id, index, false)}
          label={`Select ${accessibleName}`}
          className="z-1 self-start"
        />
      )}
    </article>
  )
})

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  if (children === null) return null
  return (
    <p className="flex gap-2">
      <span className="flex h-lh items-center text-ink3">{icon}</span>
      <span data-searched="" className="line-clamp-2 min-h-lh min-w-0 wrap-anywhere">
        {children}
      </span>
    </p>
  )
}

export function PlaceholderCard() {
  return (
    <div aria-hidden="true" className="flex gap-3.5 rounded-card bg-surface p-4 shadow-card">
      <Skeleton className="size-12 rounded-full" />
      <div className="flex-1 space-y-2.5 pt-1">
        <Skeleton className="h-4 w-36" />
        <Skeleton className="h-3 w-52" />
        <Skeleton className="h-3 w-28" />
      </div>
    </div>
  )
}
