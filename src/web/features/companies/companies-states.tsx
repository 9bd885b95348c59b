import type { CompanyEntry } from '#web/data/companies.ts'
import type { RecordList } from '#web/data/record-list.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { PlaceholderCompany } from './company-card.tsx'
import { CompanyGrid } from './company-grid.tsx'

interface CompaniesStatesProps {
  list: RecordList<CompanyEntry>
  search: string
  onAdd: () => void
  onClearSearch: () => void
}

/** The cards, or what stands in their place: skeletons, no company yet, no match. */
export function CompaniesStates({ list, search, onAdd, onClearSearch }: CompaniesStatesProps) {
  const phase = useSkeleton(list.ready)
  if (phase === 'wait') return null
  if (phase === 'content' && list.total > 0) return <CompanyGrid list={list} />
  if (phase === 'skeleton' || (search.trim() && list.searching)) return <CompaniesSkeleton />
  if (search.trim()) {
    return (
      <EmptyState
        drawing="search"
        title="No companies found matching your search"
        actions={<Button onClick={onClearSearch}>Clear search</Button>}
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
    <div className="grid grid-cols-[repeat(auto-fill,minmax(300px,1fr))] gap-3 px-6 pt-1 max-sm:grid-cols-1 max-sm:px-4">
      {Array.from({ length: 9 }, (_, index) => (
        <PlaceholderCompany key={index} />
      ))}
    </div>
  )
}
