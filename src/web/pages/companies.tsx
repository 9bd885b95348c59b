import { useDeferredValue, useState } from 'react'
import { useCompanies } from '#web/data/companies.ts'
import { AddCompanyDialog } from '#web/features/companies/add-company-dialog.tsx'
import { CompaniesStates } from '#web/features/companies/companies-states.tsx'
import { countOf } from '#web/lib/count.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { ListBar } from '#web/ui/list-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** /crm/companies: the companies of the active brand, newest first (spec section 2). */
export function CompaniesPage() {
  useDocumentTitle('Companies')
  const [search, setSearch] = useState('')
  const [adding, setAdding] = useState(false)
  const list = useCompanies(useDeferredValue(search))
  const add = () => setAdding(true)

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-col gap-4 px-6 pt-6 pb-3 max-sm:gap-3 max-sm:px-4 max-sm:pt-2">
        <PageHeader title="Companies" actions={<AddButton label="Add Company" onClick={add} />} />
        <ListBar
          search={search}
          onSearch={setSearch}
          label="Search companies..."
          pending={list.searching && search.trim() !== ''}
          count={list.ready ? countOf(list.total, 'company', 'companies') : null}
        />
      </div>
      <CompaniesStates list={list} search={search} onAdd={add} onClearSearch={() => setSearch('')} />
      <AddCompanyDialog open={adding} onClose={() => setAdding(false)} success="Company added" />
    </div>
  )
}
