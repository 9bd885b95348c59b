import { useParams } from '@tanstack/react-router'
import { deleteRecords, restoreRecords } from '#web/data/delete-records.ts'
import { usePeople } from '#web/data/people.ts'
import { useContactsOfCompany, useDealsOfCompany } from '#web/data/related-records.ts'
import { unlinkWords } from '#web/data/unlink-words.ts'
import { useUnlinked } from '#web/data/unlinked.ts'
import { useRecord } from '#web/data/use-record.ts'
import { CompanyDetails } from '#web/features/companies/company-details.tsx'
import { RelatedContacts } from '#web/features/contacts/related-contacts.tsx'
import { RelatedDeals } from '#web/features/deals/related-deals.tsx'
import { AlsoHere } from '#web/features/presence/also-here.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { PanelMissing, PanelSkeleton } from '#web/ui/panel-parts.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useClosePanel } from '#web/ui/record-link.tsx'
import { StampLine } from '#web/ui/stamp-line.tsx'
import { undoToast } from '#web/ui/undo-toast.ts'
import { useOtherBrand } from './use-other-brand.ts'

/** /crm/companies/ID: a company beside the list, with its people and deals. */
export function CompanyPage() {
  const { companyId: id } = useParams({ from: '/crm/companies/$companyId' })
  const { row, missing } = useRecord('companies', id)
  const close = useClosePanel('/crm/companies')
  useOtherBrand('companies', id, missing)
  const people = usePeople()
  const contacts = useContactsOfCompany(id)
  const deals = useDealsOfCompany(id)
  const loses = unlinkWords(useUnlinked('companies', [id]))
  useDocumentTitle(row?.name ?? 'Company')

  function remove() {
    undoToast({
      done: 'Company deleted',
      failed: 'Error deleting company',
      outcome: deleteRecords('companies', [id]),
      undo: () => restoreRecords('companies', [id]),
    })
    close()
  }

  return (
    <Panel
      kind="Company"
      recordKey={id}
      onClose={close}
      returnTo={`company-${id}`}
      actions={<AlsoHere address={`/crm/companies/${id}`} />}
      menu={
        row && (
          <MenuItem danger icon={<DeleteIcon />} hint={loses} onSelect={remove}>
            Delete
          </MenuItem>
        )
      }
      footer={
        row && (
          <StampLine
            createdAt={row.created_at}
            createdBy={people.byId(row.created_by)?.name ?? null}
            changedAt={row.updated_at}
            changedBy={people.byId(row.updated_by)?.name ?? null}
          />
        )
      }
    >
      {!row && (missing ? <PanelMissing /> : <PanelSkeleton />)}
      {row && (
        <>
          <CompanyDetails key={id} company={row} />
          <RelatedContacts list={contacts} />
          <RelatedDeals list={deals} />
        </>
      )}
    </Panel>
  )
}
