import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { type CompanySort, useCompanies } from '#web/data/companies.ts'
import { endCorrection, useCorrection } from '#web/data/changes/correction.ts'
import { AddCompanyDialog } from '#web/features/companies/add-company-dialog.tsx'
import { CompaniesStates } from '#web/features/companies/companies-states.tsx'
import { countOf } from '#web/lib/count.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { useListSelection } from '#web/lib/use-list-selection.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { ListBar } from '#web/ui/list-bar.tsx'
import { MineToggle } from '#web/crm/mine-toggle.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PanelBeside } from '#web/ui/panel-beside.tsx'
import { SortMenu } from '#web/ui/sort-menu.tsx'

const RecordSelection = lazy(async () => ({ default: (await import('#web/crm/record-selection.tsx')).RecordSelection }))

const sorts = [
  { value: 'newest', label: 'Newest' },
  { value: 'name', label: 'Name' },
] as const satisfies readonly { value: CompanySort; label: string }[]

/** /crm/companies: the companies of the active brand, newest first or as the address says (spec section 2); one beside the list. */
export function CompaniesPage() {
  const navigate = useNavigate({ from: '/crm/companies' })
  const { mine, ...address } = useSearch({ from: '/crm/companies' })
  const { companyId = null } = useParams({ strict: false })
  useDocumentTitle(companyId ? null : 'Companies')
  const sort = sorts.find(({ value }) => value === address.sort)?.value ?? 'newest'
  const [search, setSearch] = useState('')
  const [adding, setAdding] = useState(false)
  const correction = useCorrection('companies')
  const asked = useDeferredValue(search)
  const list = useCompanies(asked, { mine: mine === 1, sort })
  const listKey = JSON.stringify([asked, mine, sort])
  const selection = useListSelection((index) => list.at(index)?.company.id, listKey)
  const add = () => setAdding(true)
  useShortcut('n', add)
  const showMine = (on: boolean) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, mine: on ? 1 : undefined }),
      replace: true,
      resetScroll: false,
    })
  const sortBy = (by: CompanySort) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, sort: by === 'newest' ? undefined : by }),
      replace: true,
      resetScroll: false,
    })

  return (
    <PanelBeside panel={<Outlet />}>
      <div className="relative flex h-full min-h-0 flex-col">
        <div className="flex flex-col gap-4 px-6 pt-6 pb-3 max-sm:gap-3 max-sm:px-4 max-sm:pt-2">
          <PageHeader title="Companies" actions={<AddButton label="Add Company" onClick={add} />} />
          <ListBar
            search={search}
            onSearch={setSearch}
            label="Search companies..."
            pending={list.searching && search.trim() !== ''}
            count={list.ready ? countOf(list.total, 'company', 'companies') : null}
            partial={list.partial}
          >
            <MineToggle pressed={mine === 1} onChange={showMine} />
            <SortMenu value={sort} options={sorts} onChange={sortBy} />
          </ListBar>
        </div>
        <CompaniesStates
          list={list}
          listKey={listKey}
          selection={selection}
          currentId={companyId}
          search={search}
          mine={mine === 1}
          onAdd={add}
          onClearSearch={() => setSearch('')}
          onShowAll={() => showMine(false)}
        />
        <Suspense fallback={null}>
          {selection.ids.size > 0 && <RecordSelection table="companies" selection={selection} />}
        </Suspense>
        {correction && (
          <AddCompanyDialog
            key={correction.rowId}
            open
            onClose={endCorrection}
            success="Company added"
            correction={correction}
          />
        )}
        <AddCompanyDialog open={adding} onClose={() => setAdding(false)} success="Company added" />
      </div>
    </PanelBeside>
  )
}
