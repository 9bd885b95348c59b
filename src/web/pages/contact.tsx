import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { recordName } from '#web/data/changes/record-words.ts'
import { useDealsOfContact, useTasksOfContact } from '#web/data/related-records.ts'
import { ContactDetails } from '#web/features/contacts/contact-details.tsx'
import { RelatedDeals } from '#web/features/deals/related-deals.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { RelatedTasks } from '#web/features/tasks/related-tasks.tsx'

/** /crm/contacts/ID: a contact in the panel, with its deals and tasks. */
export function ContactPage() {
  const { contactId: id } = useParams({ from: '/crm/contacts/$contactId' })
  const deals = useDealsOfContact(id)
  const tasks = useTasksOfContact(id)
  const [addingTask, setAddingTask] = useState(false)
  return (
    <RecordPanel table="contacts" id={id}>
      {(contact) => (
        <>
          <ContactDetails key={id} contact={contact} onNewTask={() => setAddingTask(true)} />
          <RelatedDeals list={deals} />
          {deals.ready && <RelatedTasks list={tasks} />}
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
