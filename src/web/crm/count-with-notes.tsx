import { useNoteHits } from '#web/data/note-search.ts'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import { nounOf } from '#web/data/changes/record-words.ts'
import { countOf, formatCount } from '#web/lib/count.ts'

interface CountWithNotesProps {
  notes: NoteQuery
  total: number
  /** The rows of the list: '12 contacts'. */
  plain: string
  /** The list itself is known to be partial, and says so behind the number. */
  isPartial: boolean
}

/**
 * What a search has found: '12 contacts', '12 contacts · 3 in notes', '3 contacts in notes'. It does not say '0 contacts' before the notes
 * are searched, and 'on this device' where only those of it were.
 */
export default function CountWithNotes({ notes, total, plain, isPartial }: CountWithNotesProps) {
  const { ready, hits, hasMore: hasMoreHits, partial } = useNoteHits(notes)
  const { one, many } = nounOf(notes.table)
  if (hits.length === 0 && total === 0 && partial && !isPartial) {
    return (
      <>
        {plain}
        <span className="text-warn"> on this device</span>
      </>
    )
  }
  if (hits.length === 0) return total === 0 && !ready ? null : plain
  if (total === 0) return `${countOf(hits.length, one, many, hasMoreHits)} in notes`
  return `${plain} · ${formatCount(hits.length)}${hasMoreHits ? '+' : ''} in notes`
}
