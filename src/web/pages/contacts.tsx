import { ListPage } from '#web/crm/list-page.tsx'
import { useListPage } from '#web/crm/use-list-page.ts'
import { type ContactSort, useContacts } from '#web/data/contacts.ts'
import { AddContactDialog } from '#web/features/contacts/add-contact-dialog.tsx'
import { ContactsStates } from '#web/features/contacts/contacts-states.tsx'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { UploadIcon } from '#web/ui/icons.tsx'
import type { SortOption } from '#web/ui/sort-menu.tsx'

const sorts: readonly [SortOption<ContactSort>, ...SortOption<ContactSort>[]] = [
  { value: 'newest', label: 'Newest' },
  { value: 'name', label: 'Name' },
  { value: 'email', label: 'Email' },
  { value: 'company', label: 'Company' },
]

/** /crm/contacts: the contacts of the active brand (spec section 2), with the open contact in the panel beside the list. */
export function ContactsPage() {
  const page = useListPage('contacts', sorts)
  const list = useContacts(page.query.search, page.query)
  const navigate = useNavigate()
  const openImport = () => void navigate({ to: '/crm/import-contacts' })
  return (
    <ListPage
      table="contacts"
      title="Contacts"
      searchLabel="Search contacts..."
      addLabel="Add Contact"
      actions={<ImportButton onClick={openImport} />}
      page={page}
      list={list}
      idOf={({ contact }) => contact.id}
      hasSortMenu={useNarrow()}
      dialog={AddContactDialog}
      className="pb-2 max-sm:pb-3"
    >
      {(listed) => (
        <ContactsStates list={list} {...listed} sort={page.sort} onSort={page.sortBy} onImport={openImport} />
      )}
    </ListPage>
  )
}

function ImportButton({ onClick }: { onClick: () => void }) {
  return (
    <>
      <Button icon={<UploadIcon />} onClick={onClick} className="max-sm:hidden">
        Import CSV
      </Button>
      <IconButton
        label="Import CSV"
        icon={<UploadIcon className="size-5" />}
        onClick={onClick}
        tooltip={false}
        className="sm:hidden"
      />
    </>
  )
}
