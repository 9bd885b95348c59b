import { type ReactNode, Suspense } from 'react'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { ShownPart } from './list-part.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { EmptyList, type EmptyListProps } from './empty-list.tsx'

const NoteHits = lazyPart(
  async () => (await import('./note-hits.tsx')).default,
  ({ empty }) => empty?.(true),
)

/** What a list page passes to the part below its search. */
export interface Listed {
  /** Identifies what is listed. When it changes, the list starts at the top and nothing is selected. */
  listKey: string
  selection: ListSelection
  /** The record whose panel is open. */
  currentId: string | null
  search: string
  mine: boolean
  part: ShownPart | undefined
  isFiltered: boolean
  onAdd: () => void
  onClearSearch: () => void
  onShowAll: () => void
  /** What is looked for in the notes of its records. */
  inNotes: NoteQuery | null
}

interface ListStatesProps extends Omit<EmptyListProps, 'searchedHere'> {
  inNotes: NoteQuery | null
  currentId: string | null
  list: Omit<RecordList<unknown>, 'at'>
  skeleton: ReactNode
  /** The list, shown when it has a row. */
  children: ReactNode
}

/** A list, and what its search found in notes; a skeleton while it loads or the server still searches; or why the list is empty. */
export function ListStates({ list, skeleton, children, inNotes, currentId, ...empty }: ListStatesProps) {
  const phase = useSkeleton(list.ready)
  if (phase === 'wait') return null
  if (phase === 'skeleton') return skeleton
  if (list.total === 0 && empty.search.trim() && list.searching) return skeleton
  const none = (areNotesPartial: boolean) => (
    <EmptyList {...empty} searchedHere={list.partial ? 'everything' : areNotesPartial ? 'notes' : undefined} />
  )
  const isEmpty = list.total === 0
  return (
    <>
      {isEmpty ? !inNotes && none(false) : children}
      {inNotes && (
        <Suspense fallback={isEmpty && skeleton}>
          <NoteHits {...inNotes} currentId={currentId} {...(isEmpty && { empty: none, loading: skeleton })} />
        </Suspense>
      )}
    </>
  )
}
