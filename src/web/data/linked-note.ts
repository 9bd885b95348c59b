import { type NoteEntry, noteEntryOf } from './timeline.ts'
import type { TimelineTable } from './notes.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import type { Note } from '#web/data/server/rows.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'

/** A note that a link in the URL refers to. */
export interface LinkedNote {
  /** Null while the note is requested, if it is missing, and if no note is requested. */
  entry: NoteEntry | null
  /** True if the note was deleted, or is not about this record. */
  missing: boolean
}

/**
 * Returns the note with this id for the timeline of a record. A note that is not on this device is fetched. `noteId` null: no note is
 * requested.
 */
export function useLinkedNote(table: TimelineTable, recordId: string, noteId: string | null): LinkedNote {
  const data = useBrandData()
  const { row, missing } = useRecord('notes', noteId)
  if (!row || !data) return { entry: null, missing }
  if (!mayBeAbout(row, table, recordId)) return { entry: null, missing: true }
  return { entry: noteEntryOf(data, row), missing: false }
}

/**
 * Whether a note may be about a record. For a company, a note of any contact or deal is accepted, because this device may not have all
 * contacts and deals of the company.
 */
function mayBeAbout({ contact_id, company_id, deal_id }: Note, table: TimelineTable, recordId: string): boolean {
  const isDirect = [contact_id, company_id, deal_id].includes(recordId)
  return isDirect || (table === 'companies' && (contact_id !== null || deal_id !== null))
}
