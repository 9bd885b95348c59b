import { Suspense } from 'react'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

const CountWithNotes = lazyComponent(
  async () => (await import('./count-with-notes.tsx')).default,
  ({ plain }) => plain,
)

interface ListCountProps {
  table: OwnedTable
  list: Omit<RecordList<unknown>, 'at'>
  /** The search in the notes. Null if the notes are not searched. */
  notes: NoteQuery | null
}

/** The number of rows of a list, '12 contacts', and of the results in notes. */
export function ListCount({ table, list, notes }: ListCountProps) {
  const { one, many } = rowWordsOf(table)
  const plain = countOf(list.total, one, many, list.hasMore)
  if (!notes) return plain
  return (
    <Suspense fallback={list.total > 0 && plain}>
      <CountWithNotes notes={notes} total={list.total} plain={plain} isLocalOnly={list.hasFailed} />
    </Suspense>
  )
}
