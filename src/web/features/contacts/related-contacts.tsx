import type { ContactEntry } from '#web/data/contacts.ts'
import type { RelatedList } from '#web/data/related-records.ts'
import { formatCount } from '#web/lib/count.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PanelCard, PanelSection } from '#web/ui/panel-parts.tsx'
import { RecordLink } from '#web/ui/record-link.tsx'
import { factsOf } from './contact-facts.ts'

/** The people of a company in its panel, each leading to the contact. */
export function RelatedContacts({ list }: { list: RelatedList<ContactEntry> }) {
  if (!list.ready) return null
  return (
    <PanelSection title="Contacts" aside={list.total > 0 ? formatCount(list.total) : undefined}>
      {list.entries.length === 0 ? (
        <p className="text-ink3">No contacts yet</p>
      ) : (
        <PanelCard>
          {list.entries.map((entry) => {
            const { name, title, email } = factsOf(entry)
            const detail = title ?? (name ? email : null)
            return (
              <RecordLink
                key={entry.contact.id}
                table="contacts"
                id={entry.contact.id}
                className="flex min-h-11 items-center gap-2.5 px-3 py-2 hover:bg-hover max-sm:min-h-14 max-sm:px-4"
              >
                <Avatar name={name} size={24} />
                <span className="max-w-[75%] shrink-0 truncate font-medium">{name ?? email ?? '?'}</span>
                {detail && (
                  <span title={detail} className="min-w-0 flex-1 truncate text-right text-ink2">
                    {detail}
                  </span>
                )}
              </RecordLink>
            )
          })}
        </PanelCard>
      )}
    </PanelSection>
  )
}
