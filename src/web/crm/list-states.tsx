import { type ReactNode, Suspense } from 'react'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import type { ShownPart } from './list-part.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { EmptyList, type EmptyListProps } from './empty-list.tsx'

const NoteHits = lazyComponent(
  async () => (await import('./note-hits.tsx')).default,
  ({ empty }) => empty?.(true),
)

/** The values that a list page passes to its list. */
export interface ShownList {
  /** A text that identifies the query. When it changes, the list scrolls to the top, and all rows are deselected. */
  listKey: string
  selection: ListSelection
  /** The id of the record whose panel is open. */
  currentId: string | null
  search: string
  mine: boolean
  part: ShownPart | undefined
  isFiltered: boolean
  onAdd: () => void
  onClearSearch: () => void
  onShowAll: () => void
  /** The search in the notes. Null if the notes are not searched. */
  noteQuery: NoteQuery | null
}

interface ListStatesProps extends Omit<EmptyListProps, 'searchedHere'> {
  noteQuery: NoteQuery | null
  currentId: string | null
  list: Omit<RecordList<unknown>, 'at'>
  skeleton: ReactNode
  /** The rows of the list. Not rendered if the list is empty. */
  children: ReactNode
}

/**
 * Shows a list and the results in notes; a skeleton while the list loads or the server still searches; or the reason why the list is
 * empty.
 */
export function ListStates({ list, skeleton, children, noteQuery, currentId, ...empty }: ListStatesProps) {
  const phase = useSkeleton(list.ready)
  if (phase === 'wait') return null
  if (phase === 'skeleton') return skeleton
  if (list.total === 0 && empty.search.trim() && list.searching) return skeleton
  const renderEmpty = (hasOnlyLocalNotes: boolean) => (
    <EmptyList {...empty} searchedHere={list.hasFailed ? 'everything' : hasOnlyLocalNotes ? 'notes' : undefined} />
  )
  const isEmpty = list.total === 0
  return (
    <>
      {isEmpty ? !noteQuery && renderEmpty(false) : children}
      {noteQuery && (
        <Suspense fallback={isEmpty && skeleton}>
          <NoteHits {...noteQuery} currentId={currentId} {...(isEmpty && { empty: renderEmpty, loading: skeleton })} />
        </Suspense>
      )}
    </>
  )
}
