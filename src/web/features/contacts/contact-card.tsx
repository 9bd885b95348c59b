import { memo, type ReactNode } from 'react'
import { RecordLink } from '#web/crm/record-link.tsx'
import type { ContactEntry } from '#web/data/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { emailText } from '#web/ui/email-text.tsx'
import { BuildingIcon, MailIcon, PhoneIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { factsOf } from './contact-facts.ts'

interface ContactCardProps {
  /** Undefined: not on this device yet. */
  entry: ContactEntry | undefined
  /** Its panel is open. */
  current: boolean
}

/** A contact as a card on the phone; a tap opens it. */
export const ContactCard = memo(function ContactCard({ entry, current }: ContactCardProps) {
  if (!entry) return <PlaceholderCard />
  const { name, title, email, phone, company, bare } = factsOf(entry)
  return (
    <article className="relative flex gap-3.5 rounded-card bg-surface p-4 shadow-card active:bg-hover">
      <Avatar name={name} size={48} />
      <div className="min-w-0 flex-1">
        <h2 className="line-clamp-2 text-[16px]/6 font-medium wrap-anywhere">
          <RecordLink
            table="contacts"
            id={entry.contact.id}
            focusId={`contact-${entry.contact.id}`}
            data-row-focus=""
            data-searched=""
            aria-label={name ? undefined : (email ?? phone ?? 'Contact without a name')}
            aria-current={current || undefined}
            className="after:absolute after:inset-0 after:rounded-card"
          >
            {name ?? '–'}
          </RecordLink>
        </h2>
        {title && (
          <p data-searched="" className="truncate text-ink2">
            {title}
          </p>
        )}
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
