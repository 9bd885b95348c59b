import type { ReactNode } from 'react'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import type { ShownPart } from './list-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export interface EmptyListProps {
  search: string
  /** Only records of the signed-in person are listed. */
  mine: boolean
  /** Only this part of the list is shown. */
  part: ShownPart | undefined
  /** Only what the filters let through is shown. */
  isFiltered: boolean
  /** When nothing matches the search. */
  noMatch: string
  /** What only this device has searched: everything, or notes alone. */
  searchedHere?: 'everything' | 'notes' | undefined
  /** When none belongs to the signed-in person; and the label of the button that lists all. */
  noneOfMine: [title: string, hint?: string]
  showAll: string
  /** When there is no record at all; and the buttons that create the first one. */
  none: [title: string, hint?: string]
  first: ReactNode
  onClearSearch: () => void
  onShowAll: () => void
}

/** Shown instead of a list without rows: why it is empty, and the next step. */
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

function NoMatch({
  searchedHere,
  noMatch,
  onClearSearch,
}: Pick<EmptyListProps, 'searchedHere' | 'noMatch' | 'onClearSearch'>) {
  const isOffline = useIsOffline()
  const hints = {
    everything: 'Offline: only what is on this device was searched.',
    notes: `Only notes on this device were searched. All are searched when ${isOffline ? 'you are online again' : 'the server answers'}.`,
  }
  return (
    <Empty
      drawing="search"
      text={searchedHere ? [noMatch, hints[searchedHere]] : [noMatch]}
      actions={<Button onClick={onClearSearch}>Clear search</Button>}
    />
  )
}

function Empty(props: { drawing: 'search' | 'add'; text: [title: string, hint?: string]; actions: ReactNode }) {
  const [title, hint] = props.text
  return <EmptyState drawing={props.drawing} title={title} description={hint} actions={props.actions} />
}
