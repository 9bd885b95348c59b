import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { recordName } from '#web/data/changes/record-words.ts'
import { useDealsOfContact } from '#web/data/related-records.ts'
import { ContactDetails } from '#web/features/contacts/contact-details.tsx'
import { RelatedDeals } from '#web/features/deals/related-deals.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { RelatedRecords } from './related-records.tsx'

/** /crm/contacts/ID: a contact in the panel, with its deals and what else names it. */
export function ContactPage() {
  const { id } = useParams({ from: '/crm/contacts/$id' })
  const deals = useDealsOfContact(id)
  const [addingTask, setAddingTask] = useState(false)
  return (
    <RecordPanel table="contacts" id={id}>
      {(contact) => (
        <>
          <ContactDetails key={id} contact={contact} onNewTask={() => setAddingTask(true)} />
          <RelatedDeals list={deals} />
          {deals.ready && <RelatedRecords table="contacts" id={id} />}
          <NewTaskDialog
            open={addingTask}
            onClose={() => setAddingTask(false)}
            preset={{ contact: { id, label: recordName(contact) ?? 'Contact' } }}
          />
        </>
      )}
    </RecordPanel>
  )
}
