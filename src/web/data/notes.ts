import type { Device } from '#web/data/browser/device.ts'
import { insert } from '#web/data/changes/mutate.ts'
import { nameOfRecord } from '#web/data/changes/record-words.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import type { Note, NoteKind } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { myId } from '#web/data/store/my-id.ts'
import { serverNow } from '#web/data/server/network.ts'
import { newId } from '#web/lib/new-id.ts'

/** The tables whose records have a timeline: those that a note can be about. */
export type TimelineTable = 'contacts' | 'companies' | 'deals'

export const timelineTables: readonly TimelineTable[] = ['contacts', 'companies', 'deals']

/** The column that links a note to a record. */
export const noteLinkColumns = { contacts: 'contact_id', companies: 'company_id', deals: 'deal_id' } as const

export interface NewNote {
  kind: NoteKind
  body: string
  /** ISO. Null means now. */
  occurred_at: string | null
}

/** Adds a note with the id `rowId` to a record. The screen shows 'Error adding note' after a failure. */
export function addNote(
  device: Device,
  table: TimelineTable,
  recordId: string,
  note: NewNote,
  rowId: string = newId(),
): Promise<Outcome> {
  const record = openBrand(device).get()?.tables[table].get(recordId)
  const name = record && nameOfRecord(record)
  const values = {
    kind: note.kind,
    body: note.body.trim(),
    occurred_at: note.occurred_at ?? serverNow(device),
    [noteLinkColumns[table]]: recordId,
  }
  const preview = { contact_id: null, company_id: null, deal_id: null, pinned: false, author_id: myId(device) }
  const title = name ? `Note on “${name}”` : 'New note'
  return insert(device, { table: 'notes', rowId, title, icon: 'add', values, preview })
}

/** Changes the text, the kind or the time of a note. Only the author may do this (SQL checks it). */
export function editNote(
  device: Device,
  id: string,
  patch: Partial<Omit<NewNote, 'occurred_at'> & Pick<Note, 'occurred_at'>>,
) {
  return updateRecord(device, 'notes', id, patch, 'Edit of a note')
}

/** Pins a note to the top of its timeline, or unpins it. */
export function pinNote(device: Device, id: string, pinned: boolean): Promise<Outcome> {
  return updateRecord(device, 'notes', id, { pinned }, pinned ? 'Pin a note' : 'Unpin a note')
}

/** Whether a note is in the timeline of this record, as in SQL. The timeline of a company includes the notes of its contacts and deals. */
export function isNoteInTimeline(
  { tables }: Pick<BrandData, 'tables'>,
  table: TimelineTable,
  id: string,
  note: Note,
): boolean {
  if (note[noteLinkColumns[table]] === id) return true
  if (table !== 'companies') return false
  const contact = note.contact_id ? tables.contacts.get(note.contact_id) : undefined
  const deal = note.deal_id ? tables.deals.get(note.deal_id) : undefined
  return contact?.company_id === id || deal?.company_id === id
}
