import type { ReactNode } from 'react'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import type { ShownPart } from './list-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export interface EmptyListProps {
  search: string
  /** True if the list shows only records of the signed-in person. */
  mine: boolean
  /** The part of the list that is shown. Undefined if the whole list is shown. */
  part: ShownPart | undefined
  /** True if the list has a filter. */
  isFiltered: boolean
  /** The text that is shown when nothing matches the search. */
  noMatch: string
  /** What was searched only on this device: everything, or only the notes. */
  searchedHere?: 'everything' | 'notes' | undefined
  /** The texts that are shown when no record belongs to the signed-in person. */
  noneOfMine: [title: string, hint?: string]
  /** The text of the button that shows the whole list: 'Show all contacts'. */
  showAll: string
  /** The texts that are shown when the brand has no record of this kind. */
  none: [title: string, hint?: string]
  /** The buttons that are shown when the brand has no record of this kind: 'Add Contact'. */
  first: ReactNode
  onClearSearch: () => void
  onShowAll: () => void
}

/** Is shown in place of a list without rows. It says why the list is empty, and offers the next step. */
export function EmptyList(props: EmptyListProps) {
  const { search, mine, part, isFiltered, noneOfMine, showAll, none, first, onShowAll } = props
  if (search.trim()) return <NoMatch {...props} />
  if (isFiltered)
    return (
      <Empty
        drawing="search"
        text={['Nothing matches the filter']}
        actions={<Button onClick={onShowAll}>{showAll}</Button>}
      />
    )
  if (part?.empty) return part.empty(mine, showAll, onShowAll)
  if (mine) return <Empty drawing="search" text={noneOfMine} actions={<Button onClick={onShowAll}>{showAll}</Button>} />
  return <Empty drawing="add" text={none} actions={first} />
}

function NoMatch(props: EmptyListProps) {
  const { searchedHere, noMatch, isFiltered, mine, noneOfMine, showAll, onClearSearch, onShowAll } = props
  const isOffline = useIsOffline()
  const hints = {
    everything: 'Offline: only what is on this device was searched.',
    notes: `Only notes on this device were searched. All are searched when ${isOffline ? 'you are online again' : 'the server answers'}.`,
  }
  const searchHints = [
    isFiltered && 'Only what matches the filter was searched.',
    mine && (noneOfMine[1] ?? 'Only your own records were searched.'),
    searchedHere && hints[searchedHere],
  ]
  return (
    <Empty
      drawing="search"
      text={[noMatch, searchHints.filter(Boolean).join(' ')]}
      actions={
        <>
          <Button onClick={onClearSearch}>Clear search</Button>
          {(isFiltered || mine) && <Button onClick={onShowAll}>{showAll}</Button>}
        </>
      }
    />
  )
}

function Empty(props: { drawing: 'search' | 'add'; text: [title: string, hint?: string]; actions: ReactNode }) {
  const [title, hint] = props.text
  return <EmptyState drawing={props.drawing} title={title} description={hint} actions={props.actions} />
}
