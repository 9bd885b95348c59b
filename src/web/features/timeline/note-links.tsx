import { RecordLink } from '#web/crm/record-link.tsx'
import type { TimelineTable } from '#web/data/notes.ts'
import type { ListedTable } from '#web/data/store/record-tables.ts'
import type { NoteEntry as Entry } from '#web/data/timeline.ts'

export interface NoteLinksProps {
  entry: Entry
  /** The record whose timeline shows the entry. */
  about: { table: TimelineTable; id: string }
  /** Returns the name of a record; null if it is unknown. */
  nameOf: (id: string) => string | null
}

/** The other records that a note is about: 'About Zoe Marsh'. */
export function NoteLinks({ entry: { note }, about, nameOf }: NoteLinksProps) {
  const aboutRecords: readonly { table: ListedTable; id: string | null }[] = [
    { table: 'contacts', id: note.contact_id },
    { table: 'companies', id: note.company_id },
    { table: 'deals', id: note.deal_id },
  ]
  const links = aboutRecords.flatMap(({ table, id }) =>
    id && id !== about.id ? [{ table, id, name: nameOf(id) ?? '?' }] : [],
  )
  if (links.length === 0) return null
  return (
    <p className="text-xs text-ink3 wrap-anywhere max-sm:text-13/4.5">
      About{' '}
      {links.map(({ table, id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <RecordLink table={table} id={id} className="text-ink2 hover:underline">
            {name}
          </RecordLink>
        </span>
      ))}
    </p>
  )
}
