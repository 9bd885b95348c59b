import { isNoteInTimeline, type TimelineTable } from './notes.ts'
import { noteIdOf, type TimelineChange } from './timeline-answer.ts'
import { TimelineSource } from './timeline-source.ts'
import { nameOfRecord } from '#web/data/changes/record-words.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view } from '#web/data/query/view.ts'
import type { Note } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

/** A note as a timeline shows it. */
export interface NoteEntry {
  kind: 'note'
  key: string
  at: string
  note: Note
  /** True if operations on the note wait to be sent. */
  waiting: boolean
  /** The author may edit and delete the note. Admins and owners may delete it too. */
  canEdit: boolean
  canDelete: boolean
}

export type TimelineEntry = NoteEntry | TimelineChange

/** The notes and changes of a record, newest first. */
export interface Timeline {
  /** False until entries are known, the server has answered, or a request has failed. Until then, screens show skeletons. */
  ready: boolean
  pinned: readonly NoteEntry[]
  entries: readonly TimelineEntry[]
  /** True if the server has more entries and the last request did not fail. Call `more` to fetch them. */
  hasMore: boolean
  more: () => void
  /** True if the last request failed. Then only the entries on this device are shown. */
  hasFailed: boolean
  /** Returns the name of a contact, company or deal. Null if it was deleted or is not known. */
  nameOf: (id: string) => string | null
}

const noTimeline: Timeline = {
  ready: false,
  pinned: [],
  entries: [],
  hasMore: false,
  more: () => {},
  hasFailed: false,
  nameOf: () => null,
}

/** Returns the timeline of a record. Notes that were written on this device are in it at once. */
export function useTimeline(table: TimelineTable, id: string): Timeline {
  return useView(timelineView, `${table} ${id}`, noTimeline)
}

const sources = perBrand(() => new Map<string, TimelineSource>())

/** Creates the view that `useTimeline` reads. `key` is the table and the id. */
export function timelineView(data: BrandData, key: string): View<Timeline> {
  const [table, id] = readKey(key)
  const knownSources = sources(data)
  const source = knownSources.get(key) ?? new TimelineSource(data, table, id, () => knownSources.delete(key))
  knownSources.set(key, source)
  const { notes, contacts, companies, deals, memberships } = data.tables
  return view([source, notes, contacts, companies, deals, memberships, sourceOfObservable(data.loaded)], () => {
    const shown = notesOf(data, source, table, id)
    const changes = source.entries.filter((entry) => entry.kind !== 'note')
    const entries = [...shown.filter(({ note }) => !note.pinned), ...changes].sort(latestFirst)
    return {
      ready: data.loaded.get() && (source.hasAnswer || source.hasFailed || entries.length > 0),
      pinned: shown.filter(({ note }) => note.pinned).sort(latestFirst),
      entries,
      hasMore: source.next !== null && !source.hasFailed,
      more: source.more,
      hasFailed: source.hasFailed,
      nameOf: (recordId) => recordNameOf(data, recordId) ?? source.names[recordId] ?? null,
    }
  })
}

function readKey(key: string): [TimelineTable, string] {
  const [table, id = ''] = key.split(' ')
  return [table === 'contacts' || table === 'companies' ? table : 'deals', id]
}

/**
 * Returns the notes of a timeline: those that the server has listed, and those on this device that are pinned, wait to be sent, or are newer
 * than the end of the fetched pages. If the last request failed, returns all notes of the record that are on this device.
 */
function notesOf(data: BrandData, source: TimelineSource, table: TimelineTable, id: string): NoteEntry[] {
  const { notes } = data.tables
  const listed = new Set(source.entries.map(noteIdOf))
  const since = source.hasFailed ? Number.NEGATIVE_INFINITY : source.knownSince
  const isShown = (note: Note) =>
    listed.has(note.id) ||
    (isNoteInTimeline(data, table, id, note) &&
      (note.pinned || notes.isWaiting(note.id) || Date.parse(note.occurred_at) > since))
  return [...notes.values()].filter(isShown).map((note) => noteEntryOf(data, note))
}

/** Returns a note as a timeline shows it. */
export function noteEntryOf({ tables, userId }: BrandData, note: Note): NoteEntry {
  const role = tables.memberships.get(userId)?.role
  const canEdit = note.author_id === userId
  const canDelete = canEdit || role === 'admin' || role === 'owner'
  const waiting = tables.notes.isWaiting(note.id)
  return { kind: 'note', key: `note ${note.id}`, at: note.occurred_at, note, waiting, canEdit, canDelete }
}

function latestFirst(a: TimelineEntry, b: TimelineEntry): number {
  return Date.parse(b.at) - Date.parse(a.at) || (a.key < b.key ? 1 : -1)
}

function recordNameOf({ tables }: BrandData, id: string): string | null {
  const row = tables.contacts.get(id) ?? tables.companies.get(id) ?? tables.deals.get(id)
  return row ? (nameOfRecord(row) ?? '?') : null
}
