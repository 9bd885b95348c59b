import { useNoteHits } from '#web/data/note-search.ts'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { countOf, formatCount } from '#web/lib/count.ts'

interface CountWithNotesProps {
  notes: NoteQuery
  total: number
  /** The number of rows in the list, in words: '12 contacts'. */
  plain: string
  /** True if the list has only the rows on this device. The page then shows 'on this device' after the number. */
  isLocalOnly: boolean
}

/**
 * The number of search results: '12 contacts', '12 contacts · 3 in notes', '3 contacts in notes'. '0 contacts' is shown only after the notes were
 * searched, and with 'on this device' if only the notes on this device were searched.
 */
export default function CountWithNotes({ notes, total, plain, isLocalOnly }: CountWithNotesProps) {
  const { ready, hits, hasMore: hasMoreHits, hasFailed } = useNoteHits(notes)
  const { one, many } = rowWordsOf(notes.table)
  if (hits.length === 0 && total === 0 && hasFailed && !isLocalOnly) {
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
