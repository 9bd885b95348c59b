import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { type ContactSort, useContacts } from '#web/data/contacts.ts'
import { endCorrection, useCorrection } from '#web/data/changes/correction.ts'
import { AddContactDialog } from '#web/features/contacts/add-contact-dialog.tsx'
import { ContactsStates } from '#web/features/contacts/contacts-states.tsx'
import { countOf } from '#web/lib/count.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { useListSelection } from '#web/lib/use-list-selection.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { UploadIcon } from '#web/ui/icons.tsx'
import { ListBar } from '#web/ui/list-bar.tsx'
import { MineToggle } from '#web/crm/mine-toggle.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PanelBeside } from '#web/ui/panel-beside.tsx'
import { SortMenu } from '#web/ui/sort-menu.tsx'

const RecordSelection = lazy(async () => ({ default: (await import('#web/crm/record-selection.tsx')).RecordSelection }))

const sorts = [
  { value: 'newest', label: 'Newest' },
  { value: 'name', label: 'Name' },
  { value: 'email', label: 'Email' },
  { value: 'company', label: 'Company' },
] as const satisfies readonly { value: ContactSort; label: string }[]

/** /crm/contacts: the people of the active brand, newest first or as the address says (spec section 2); one of them beside the list. */
export function ContactsPage() {
  const navigate = useNavigate({ from: '/crm/contacts' })
  const { mine, ...address } = useSearch({ from: '/crm/contacts' })
  const { contactId = null } = useParams({ strict: false })
  useDocumentTitle(contactId ? null : 'Contacts')
  const sort = sorts.find(({ value }) => value === address.sort)?.value ?? 'newest'
  const [search, setSearch] = useState('')
  const [adding, setAdding] = useState(false)
  const correction = useCorrection('contacts')
  const narrow = useNarrow()
  const asked = useDeferredValue(search)
  const list = useContacts(asked, { mine: mine === 1, sort })
  const listKey = JSON.stringify([asked, mine, sort])
  const selection = useListSelection((index) => list.at(index)?.contact.id, listKey)
  const add = () => setAdding(true)
  useShortcut('n', add)
  const toImport = () => void navigate({ to: '/crm/import-contacts' })
  const showMine = (on: boolean) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, mine: on ? 1 : undefined }),
      replace: true,
      resetScroll: false,
    })
  const sortBy = (by: ContactSort) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, sort: by === 'newest' ? undefined : by }),
      replace: true,
      resetScroll: false,
    })

  return (
    <PanelBeside panel={<Outlet />}>
      <div className="relative flex h-full min-h-0 flex-col">
        <div className="flex flex-col gap-4 px-6 pt-6 pb-2 max-sm:gap-3 max-sm:px-4 max-sm:pt-2 max-sm:pb-3">
          <PageHeader
            title="Contacts"
            actions={
              <>
                <Button icon={<UploadIcon />} onClick={toImport} className="max-sm:hidden">
                  Import CSV
                </Button>
                <IconButton
                  label="Import CSV"
                  icon={<UploadIcon className="size-5" />}
                  onClick={toImport}
                  tooltip={false}
                  className="sm:hidden"
                />
                <AddButton label="Add Contact" onClick={add} />
              </>
            }
          />
          <ListBar
            search={search}
            onSearch={setSearch}
            label="Search contacts..."
            pending={list.searching && search.trim() !== ''}
            count={list.ready ? countOf(list.total, 'contact', 'contacts') : null}
            partial={list.partial}
          >
            <MineToggle pressed={mine === 1} onChange={showMine} />
            {narrow && <SortMenu value={sort} options={sorts} onChange={sortBy} />}
          </ListBar>
        </div>
        <ContactsStates
          list={list}
          listKey={listKey}
          sort={sort}
          onSort={sortBy}
          selection={selection}
          currentId={contactId}
          search={search}
          mine={mine === 1}
          onAdd={add}
          onImport={toImport}
          onClearSearch={() => setSearch('')}
          onShowAll={() => showMine(false)}
        />
        <Suspense fallback={null}>
          {selection.ids.size > 0 && <RecordSelection table="contacts" selection={selection} />}
        </Suspense>
        {correction && <AddContactDialog key={correction.rowId} open onClose={endCorrection} correction={correction} />}
        <AddContactDialog open={adding} onClose={() => setAdding(false)} />
      </div>
    </PanelBeside>
  )
}
