import { conditionsOf, type NoteQuery, NoteSearchSource } from './note-search-source.ts'
import { hasWords, searchedNoteWords } from './note-words.ts'
import { noteLinkColumns } from './notes.ts'
import { nameOfRecord } from '#web/data/changes/record-words.ts'
import { whereMatcher } from '#web/data/query/match.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view } from '#web/data/query/view.ts'
import type { Note } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

/** A record that is found by its notes, with the newest note that has all words. */
export interface NoteHit {
  recordId: string
  name: string
  note: Note
}

/** The hits of a search in notes, as far as they are fetched. */
export interface NoteHits {
  /** False until the server has answered, or until no answer is expected for now. Before that, `hits` has the notes on this device. */
  ready: boolean
  hits: readonly NoteHit[]
  /** True if the server has more hits and can be asked for them now. Call `more` to fetch them. */
  hasMore: boolean
  more: () => void
  /** True if the server is unreachable, slow or has refused. Then only the notes on this device were searched. */
  hasFailed: boolean
}

const noHits: NoteHits = { ready: false, hits: [], hasMore: false, more: () => {}, hasFailed: false }

/** Returns the records of a list that a search finds by their notes, the newest note first. */
export function useNoteHits(query: NoteQuery): NoteHits {
  return useView(noteHits, JSON.stringify(query), noHits)
}

const sources = perBrand(() => new Map<string, NoteSearchSource>())

/** Creates the view that `useNoteHits` reads. `key` is the query as JSON. */
export function noteHits(data: BrandData, key: string): View<NoteHits> {
  const query: NoteQuery = JSON.parse(key)
  const knownSources = sources(data)
  const source = knownSources.get(key) ?? new NoteSearchSource(data, query, () => knownSources.delete(key))
  knownSources.set(key, source)
  return view([source, data.tables.notes, data.tables[query.table], sourceOfObservable(data.loaded)], () => {
    const { hasAnswer, isGivenUp, next, more } = source
    // This device may not have all notes of the pages that were not fetched, so these notes are left out, unless they wait to be sent.
    const hits = localNoteHits(data, query).filter(
      ({ note }) => isGivenUp || next === null || isOnFetchedPages(note, next) || data.tables.notes.isWaiting(note.id),
    )
    return {
      ready: data.loaded.get() && (hasAnswer || isGivenUp),
      hits,
      hasMore: next !== null && !isGivenUp,
      more,
      hasFailed: isGivenUp,
    }
  })
}

/** Returns the hits among the notes on this device, as SQL's `search_notes` does. */
export function localNoteHits(data: BrandData, query: NoteQuery): NoteHit[] {
  const { table, search } = query
  const words = searchedNoteWords(search)
  const meetsConditions = whereMatcher({ table, where: conditionsOf(data, query) })
  const newest = new Map<string, NoteHit>()
  if (words.length === 0) return []
  for (const note of data.tables.notes.values()) {
    const recordId = note[noteLinkColumns[table]]
    if (recordId === null || !hasWords(data, note, words)) continue
    const other = newest.get(recordId)
    if (other && newestNoteFirst(other.note, note) < 0) continue
    const record = data.tables[table].get(recordId)
    if (record && meetsConditions(record)) newest.set(recordId, { recordId, name: nameOfRecord(record) ?? '?', note })
  }
  return [...newest.values()].sort((one, other) => newestNoteFirst(one.note, other.note))
}

/** Newest first, then by id. */
function newestNoteFirst(one: Note, other: Note): number {
  return Date.parse(other.occurred_at) - Date.parse(one.occurred_at) || (one.id < other.id ? -1 : 1)
}

/** Whether a note is on the fetched pages. `next` has the time and the id of their last note: 'TIME~ID'. */
function isOnFetchedPages(note: Note, next: string): boolean {
  const [at = '', id = ''] = next.split('~')
  return (
    Date.parse(note.occurred_at) > Date.parse(at) || (Date.parse(note.occurred_at) === Date.parse(at) && note.id <= id)
  )
}
