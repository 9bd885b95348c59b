import { type ShownList, ListStates } from '#web/crm/list-states.tsx'
import type { CompanyEntry, CompanySort } from '#web/data/companies.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import { Button } from '#web/ui/button.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { PlaceholderCompany } from './company-card.tsx'
import { CompanyGrid } from './company-grid.tsx'

/** Shows the cards and the results in notes, or the skeleton, or the reason why there are no companies. */
export function CompaniesStates(props: CompaniesStatesProps) {
  const { list, sort, onAdd, listKey, selection, currentId, ...empty } = props
  return (
    <ListStates
      {...empty}
      currentId={currentId}
      list={list}
      skeleton={<CompaniesSkeleton />}
      noMatch="No companies found matching your search"
      noneOfMine={['No company is yours']}
      showAll="Show all companies"
      none={['No companies yet']}
      first={
        <Button icon={<PlusIcon />} onClick={onAdd}>
          Add Your First Company
        </Button>
      }
    >
      <CompanyGrid {...{ list, sort, listKey, selection, currentId }} />
    </ListStates>
  )
}

interface CompaniesStatesProps extends ShownList {
  list: RecordList<CompanyEntry>
  sort: CompanySort
}

function CompaniesSkeleton() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(18.75rem,calc(50%-0.375rem)),1fr))] gap-3 px-6 pt-1 max-sm:grid-cols-1 max-sm:px-4">
      {Array.from({ length: 9 }, (_, index) => (
        <PlaceholderCompany key={index} />
      ))}
    </div>
  )
}
