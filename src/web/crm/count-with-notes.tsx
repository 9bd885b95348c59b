import { useNoteHits } from '#web/data/note-search.ts'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import { nounOf } from '#web/data/changes/record-words.ts'
import { countOf, formatCount } from '#web/lib/count.ts'

interface CountWithNotesProps {
  notes: NoteQuery
  total: number
  /** The rows of the list: '12 contacts'. */
  plain: string
}

/**
 * What a search has found: '12 contacts', '12 contacts · 3 in notes', '3 contacts in notes'. It does not say '0 contacts' before the notes
 * are searched.
 */
export default function CountWithNotes({ notes, total, plain }: CountWithNotesProps) {
  const { ready, hits, hasMore: hasMoreHits } = useNoteHits(notes)
  const { one, many } = nounOf(notes.table)
  if (hits.length === 0) return total === 0 && !ready ? null : plain
  if (total === 0) return `${countOf(hits.length, one, many, hasMoreHits)} in notes`
  return `${plain} · ${formatCount(hits.length)}${hasMoreHits ? '+' : ''} in notes`
}
