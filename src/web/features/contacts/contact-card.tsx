import { memo, type ReactNode } from 'react'
import type { ContactEntry } from '#web/data/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CompanyIcon, MailIcon, PhoneIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { factsOf } from './contact-facts.ts'

/** A contact as a card, on the phone; undefined: not here yet. */
export const ContactCard = memo(function ContactCard({ entry }: { entry: ContactEntry | undefined }) {
  if (!entry) return <PlaceholderCard />
  const { name, title, email, phone, company, bare } = factsOf(entry)
  return (
    <article className="flex gap-3.5 rounded-card bg-surface p-4 shadow-card">
      <Avatar name={name} size={48} />
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-[16px]/6 font-medium">{name ?? '–'}</h2>
        {title && <p className="truncate text-ink2">{title}</p>}
        {bare ? (
          <p className="text-ink3">No contact details</p>
        ) : (
          <div className="mt-1.5 flex flex-col gap-1 text-ink2">
            <Fact icon={<MailIcon />}>{email && <a href={`mailto:${email}`}>{email}</a>}</Fact>
            <Fact icon={<PhoneIcon />}>{phone && <a href={`tel:${phone}`}>{phone}</a>}</Fact>
            <Fact icon={<CompanyIcon />}>{company}</Fact>
          </div>
        )}
      </div>
    </article>
  )
})

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  if (!children) return null
  return (
    <p className="flex items-center gap-2">
      <span className="text-ink3">{icon}</span>
      <span className="min-w-0 truncate">{children}</span>
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
