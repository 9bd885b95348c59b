import { useState } from 'react'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { nameOfRecord } from '#web/data/changes/record-words.ts'
import type { Contact } from '#web/data/server/rows.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import { useDealsOfContact } from '#web/data/related-records.ts'
import { ContactDetails } from '#web/features/contacts/contact-details.tsx'
import { NewDealDialog } from '#web/features/deals/new-deal-dialog.tsx'
import type { NewDealProps } from '#web/features/deals/new-deal-form.tsx'
import { FurtherDeals, RelatedDeals } from '#web/features/deals/related-deals.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { useParams } from '#web/lib/routing/use-router.ts'
import { PanelAddButton } from '#web/ui/panel-add-button.tsx'
import { RecordTimeline } from './record-timeline.tsx'
import { RelatedRecords } from './related-records.tsx'

/** /crm/contacts/ID: a contact in the panel, with its deals and the other records that link to it. */
export function ContactPage() {
  const { id = '' } = useParams()
  const deals = useDealsOfContact(id)
  const companyId = useRecord('contacts', id).row?.company_id ?? null
  const company = useRecord('companies', companyId).row
  const [isAddingTask, setAddingTask] = useState(false)
  const [dealDialog, setDealDialog] = useState<Pick<NewDealProps, 'open' | 'preset'>>({ open: false })
  /**
   * Returns the initial values of the form for a new deal. They are computed when the form opens, so that a colleague's change does not
   * reset the form.
   */
  const presetOf = (contact: Contact) => ({
    contact: { id, label: nameOfRecord(contact) ?? 'Contact' },
    ...(company && { company: { id: company.id, label: company.name } }),
  })
  return (
    <RecordPanel table="contacts" id={id}>
      {(contact) => (
        <>
          <ContactDetails key={id} contact={contact} onNewTask={() => setAddingTask(true)} />
          <RelatedDeals
            list={deals}
            action={
              <PanelAddButton
                label="New Deal"
                onClick={() => setDealDialog({ open: true, preset: presetOf(contact) })}
              />
            }
          />
          {deals.ready && <FurtherDeals contactId={id} />}
          {deals.ready && <RelatedRecords table="contacts" id={id} />}
          {deals.ready && <RecordTimeline table="contacts" id={id} />}
          <NewDealDialog {...dealDialog} onClose={() => setDealDialog((previous) => ({ ...previous, open: false }))} />
          <NewTaskDialog
            open={isAddingTask}
            onClose={() => setAddingTask(false)}
            preset={{ contact: { id, label: nameOfRecord(contact) ?? 'Contact' } }}
          />
        </>
      )}
    </RecordPanel>
  )
}
