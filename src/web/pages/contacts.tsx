import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { useContacts } from '#web/data/contacts.ts'
import { AddContactDialog } from '#web/features/contacts/add-contact-dialog.tsx'
import { ContactsStates } from '#web/features/contacts/contacts-states.tsx'
import { countOf } from '#web/lib/count.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { UploadIcon } from '#web/ui/icons.tsx'
import { ListBar } from '#web/ui/list-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** /crm/contacts: the people of the active brand, newest first (spec section 2). */
export function ContactsPage() {
  useDocumentTitle('Contacts')
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const [adding, setAdding] = useState(false)
  const list = useContacts(useDeferredValue(search))
  const add = () => setAdding(true)
  const toImport = () => void navigate({ to: '/crm/import-contacts' })

  return (
    <div className="flex h-full min-h-0 flex-col">
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
        />
      </div>
      <ContactsStates list={list} search={search} onAdd={add} onImport={toImport} onClearSearch={() => setSearch('')} />
      <AddContactDialog open={adding} onClose={() => setAdding(false)} />
    </div>
  )
}
