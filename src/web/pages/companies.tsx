import { ListPage } from '#web/crm/list-page.tsx'
import { useListPage } from '#web/crm/use-list-page.ts'
import { type CompanySort, useCompanies } from '#web/data/companies.ts'
import { AddCompanyDialog } from '#web/features/companies/add-company-dialog.tsx'
import { CompaniesStates } from '#web/features/companies/companies-states.tsx'
import type { SortOption } from '#web/ui/sort-menu.tsx'

const sorts: readonly [SortOption<CompanySort>, ...SortOption<CompanySort>[]] = [
  { value: 'newest', label: 'Newest' },
  { value: 'name', label: 'Name' },
]

/** /crm/companies: the companies of the active brand as cards (spec section 2), with the open company in the panel beside the list. */
export function CompaniesPage() {
  const page = useListPage('companies', sorts)
  const list = useCompanies(page.query.search, page.query)
  return (
    <ListPage
      table="companies"
      title="Companies"
      searchLabel="Search companies..."
      addLabel="Add Company"
      page={page}
      list={list}
      idOf={({ company }) => company.id}
      hasSortMenu
      hasSelectAll
      dialog={AddCompanyDialog}
      className="pb-3"
    >
      {(listed) => <CompaniesStates list={list} {...listed} sort={page.sort} />}
    </ListPage>
  )
}
