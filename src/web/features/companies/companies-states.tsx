import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { PlaceholderCompany } from './company-card.tsx'
import { CompanyGrid } from './company-grid.tsx'

interface CompaniesStatesProps extends ComponentProps<typeof CompanyGrid> {
  search: string
  mine: boolean
  onAdd: () => void
  onClearSearch: () => void
  onShowAll: () => void
}

/** The cards, or what stands in their place: skeletons, no company yet, no match, none of mine. */
export function CompaniesStates(props: CompaniesStatesProps) {
  const { search, mine, onAdd, onClearSearch, onShowAll, ...shown } = props
  const { list } = shown
  const phase = useSkeleton(list.ready)
  if (phase === 'wait') return null
  if (phase === 'content' && list.total > 0) return <CompanyGrid {...shown} />
  if (phase === 'skeleton' || (search.trim() && list.searching)) return <CompaniesSkeleton />
  if (search.trim()) {
    return (
      <EmptyState
        drawing="search"
        title="No companies found matching your search"
        description={list.partial ? 'Offline: only what is on this device was searched.' : undefined}
        actions={<Button onClick={onClearSearch}>Clear search</Button>}
      />
    )
  }
  if (mine) {
    return (
      <EmptyState
        drawing="search"
        title="No company is yours"
        actions={<Button onClick={onShowAll}>Show all companies</Button>}
      />
    )
  }
  return (
    <EmptyState
      drawing="add"
      title="No companies yet"
      actions={
        <Button icon={<PlusIcon />} onClick={onAdd}>
          Add Your First Company
        </Button>
      }
    />
  )
}

function CompaniesSkeleton() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,calc(50%-6px)),1fr))] gap-3 px-6 pt-1 max-sm:grid-cols-1 max-sm:px-4">
      {Array.from({ length: 9 }, (_, index) => (
        <PlaceholderCompany key={index} />
      ))}
    </div>
  )
}
