import { type AnyRow, rowsIn } from '#web/data/server/tables.ts'
import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'

interface EntryBase {
  /** Identifies the entry in its timeline. The key of a note is 'note ID'. */
  key: string
  /** When the event happened (ISO). */
  at: string
  /** The id of the person who caused the event. */
  by: string | null
}

/** A change of a record, or of a contact or deal of a company, as SQL's `timeline` returns it. */
export type TimelineChange = EntryBase &
  (
    | { kind: 'stage'; deal_id: string; from: string; to: string }
    | { kind: 'amount'; deal_id: string; from: number; from_currency: string; to: number; to_currency: string }
    | { kind: 'task'; task_id: string; title: string }
    | { kind: 'field'; table: string; record_id: string; column: string; from: string | null; to: string | null }
  )

/** A change, or a reference to a note, whose row is in the collection of notes. */
export type KnownEntry = TimelineChange | (EntryBase & { kind: 'note' })

/** A page of a timeline, newest entries first. */
export interface TimelinePage {
  entries: readonly KnownEntry[]
  /** The notes of this page, and the pinned ones. */
  notes: readonly AnyRow[]
  /** Names of contacts, companies and deals in the entries, by id. */
  names: Readonly<Record<string, string>>
  /** Where the next page begins. Null on the last page. */
  next: string | null
}

/** Reads an answer, or stored entries. Leaves out entries of a kind that this version does not know. */
export function readTimeline(answer: unknown): TimelinePage {
  const entries = listOf(fieldOf(answer, 'entries'))
  const pinned = rowsIn(fieldOf(answer, 'pinned'))
  return {
    entries: entries.filter(isEntry).map(withoutNote),
    notes: [...rowsIn(entries.map((entry) => fieldOf(entry, 'note'))), ...pinned],
    names: namesIn(fieldOf(answer, 'names')),
    next: textOf(answer, 'next'),
  }
}

/** Returns the id of the note that an entry refers to. Null if the entry is a change. */
export function noteIdOf({ kind, key }: KnownEntry): string | null {
  return kind === 'note' ? key.slice('note '.length) : null
}

function withoutNote(entry: KnownEntry): KnownEntry {
  return entry.kind === 'note' ? { kind: 'note', key: entry.key, at: entry.at, by: entry.by } : entry
}

function namesIn(value: unknown): Record<string, string> {
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

function isEntry(value: unknown): value is KnownEntry {
  if (!hasTexts(value, ['kind', 'key', 'at']) || !isTextOrNull(value, 'by')) return false
  switch (textOf(value, 'kind')) {
    case 'note':
      return true
    case 'stage':
      return hasTexts(value, ['deal_id', 'from', 'to'])
    case 'amount':
      return (
        hasTexts(value, ['deal_id', 'from_currency', 'to_currency']) &&
        numberOf(value, 'from') !== null &&
        numberOf(value, 'to') !== null
      )
    case 'task':
      return hasTexts(value, ['task_id', 'title'])
    case 'field':
      return (
        hasTexts(value, ['table', 'record_id', 'column']) && isTextOrNull(value, 'from') && isTextOrNull(value, 'to')
      )
    default:
      return false
  }
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => textOf(value, name) !== null)
}

function isTextOrNull(value: unknown, name: string): boolean {
  return fieldOf(value, name) === null || textOf(value, name) !== null
}
