import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export interface EmptyListProps {
  search: string
  /** Only mine are listed. */
  mine: boolean
  /** Title, and hint below it, where nothing matches the search. */
  noMatch: [title: string, hint?: string]
  /** Where none is mine; and the button that lists all. */
  noneOfMine: [title: string, hint?: string]
  showAll: string
  /** Where there is no record at all; and the buttons that make the first one. */
  none: [title: string, hint?: string]
  first: ReactNode
  onClearSearch: () => void
  onShowAll: () => void
}

/** In the place of a list without a row: why it is empty, and the next step. */
export function EmptyList(props: EmptyListProps) {
  const { search, mine, noMatch, noneOfMine, showAll, none, first, onClearSearch, onShowAll } = props
  if (search.trim())
    return <Empty drawing="search" text={noMatch} actions={<Button onClick={onClearSearch}>Clear search</Button>} />
  if (mine) return <Empty drawing="search" text={noneOfMine} actions={<Button onClick={onShowAll}>{showAll}</Button>} />
  return <Empty drawing="add" text={none} actions={first} />
}

function Empty(props: { drawing: 'search' | 'add'; text: [title: string, hint?: string]; actions: ReactNode }) {
  const [title, hint] = props.text
  return <EmptyState drawing={props.drawing} title={title} description={hint} actions={props.actions} />
}
