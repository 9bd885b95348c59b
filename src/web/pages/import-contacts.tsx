import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { ImportContacts } from '#web/features/contacts/import/import-contacts.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { BackIcon } from '#web/ui/icons.tsx'
import { Link } from '#web/ui/link.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** /crm/import-contacts: contacts from a CSV file (spec section 2). */
export function ImportContactsPage() {
  useDocumentTitle('Import contacts')
  const navigate = useNavigate()
  return (
    <div className="max-w-3xl px-6 pt-6 pb-8 max-sm:px-4 max-sm:pt-2">
      <Link
        to="/crm/contacts"
        className="mb-1 inline-flex items-center gap-2 rounded-badge text-ink2 hover:text-ink max-sm:min-h-11"
      >
        <BackIcon />
        Contacts
      </Link>
      <PageHeader
        title="Import contacts"
        hint="A row without an email or phone number is skipped and counted; a contact with a known email or Banyan ID is updated, never added twice."
      />
      <NeedsConnection offline={useIsOffline()}>An import needs a connection.</NeedsConnection>
      <div className="mt-5">
        <ImportContacts onViewContacts={() => void navigate({ to: '/crm/contacts' })} />
      </div>
    </div>
  )
}
