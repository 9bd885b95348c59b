import { RecordLink } from '#web/crm/record-link.tsx'
import type { ContactEntry } from '#web/data/contacts.ts'
import type { RelatedList } from '#web/data/query/related-list.ts'
import { formatCount } from '#web/lib/count.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ChevronRightIcon } from '#web/ui/icons.tsx'
import { PanelCard, PanelSection } from '#web/ui/panel-parts.tsx'
import { factsOf } from './contact-facts.ts'

/** The contacts of a company in its panel, as links. */
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
                className="flex min-h-13 items-center gap-3 px-3 py-2 hover:bg-hover max-sm:px-4"
              >
                <Avatar name={name} size={32} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{name ?? email ?? entry.contact.phone ?? '?'}</span>
                  {detail && (
                    <span title={detail} className="block truncate text-ink2 text-xs max-sm:text-13/4">
                      {detail}
                    </span>
                  )}
                </span>
                <ChevronRightIcon className="text-ink3" />
              </RecordLink>
            )
          })}
        </PanelCard>
      )}
    </PanelSection>
  )
}
