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
  ({ empty }) => empty,
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

interface ListStatesProps extends Omit<EmptyListProps, 'noMatch'> {
  inNotes: NoteQuery | null
  currentId: string | null
  list: Omit<RecordList<unknown>, 'at'>
  /** 'No contacts found matching your search' */
  noMatch: string
  skeleton: ReactNode
  /** The list, shown when it has a row. */
  children: ReactNode
}

/** A list, and what its search found in notes; a skeleton while it loads or the server still searches; or why the list is empty. */
export function ListStates({ list, noMatch, skeleton, children, inNotes, currentId, ...empty }: ListStatesProps) {
  const phase = useSkeleton(list.ready)
  if (phase === 'wait') return null
  if (phase === 'skeleton') return skeleton
  if (list.total === 0 && empty.search.trim() && list.searching) return skeleton
  const none = list.total === 0 && (
    <EmptyList
      {...empty}
      noMatch={list.partial ? [noMatch, 'Offline: only what is on this device was searched.'] : [noMatch]}
    />
  )
  return (
    <>
      {none === false ? children : !inNotes && none}
      {inNotes && (
        <Suspense fallback={none && skeleton}>
          <NoteHits {...inNotes} currentId={currentId} {...(none && { empty: none, loading: skeleton })} />
        </Suspense>
      )}
    </>
  )
}
