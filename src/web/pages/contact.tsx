import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fullName } from '#web/data/contact-names.ts'
import { deleteRecords, restoreRecords } from '#web/data/delete-records.ts'
import { usePeople } from '#web/data/people.ts'
import { useDealsOfContact, useTasksOfContact } from '#web/data/related-records.ts'
import { unlinkWords } from '#web/data/unlink-words.ts'
import { useUnlinked } from '#web/data/unlinked.ts'
import { useRecord } from '#web/data/use-record.ts'
import { ContactDetails } from '#web/features/contacts/contact-details.tsx'
import { RelatedDeals } from '#web/features/deals/related-deals.tsx'
import { AlsoHere } from '#web/features/presence/also-here.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { RelatedTasks } from '#web/features/tasks/related-tasks.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { PanelMissing, PanelSkeleton } from '#web/ui/panel-parts.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useClosePanel } from '#web/ui/record-link.tsx'
import { StampLine } from '#web/ui/stamp-line.tsx'
import { undoToast } from '#web/ui/undo-toast.ts'
import { useOtherBrand } from './use-other-brand.ts'

/** /crm/contacts/ID: a contact beside the list, with the deals and tasks that name it. */
export function ContactPage() {
  const { contactId: id } = useParams({ from: '/crm/contacts/$contactId' })
  const { row, missing } = useRecord('contacts', id)
  const close = useClosePanel('/crm/contacts')
  useOtherBrand('contacts', id, missing)
  const people = usePeople()
  const deals = useDealsOfContact(id)
  const tasks = useTasksOfContact(id)
  const loses = unlinkWords(useUnlinked('contacts', [id]))
  const [addingTask, setAddingTask] = useState(false)
  const name = (row && (fullName(row) ?? row.email)) || 'Contact'
  useDocumentTitle(name)

  function remove() {
    undoToast({
      done: 'Contact deleted',
      failed: 'Error deleting contact',
      outcome: deleteRecords('contacts', [id]),
      undo: () => restoreRecords('contacts', [id]),
    })
    close()
  }

  return (
    <Panel
      kind="Contact"
      recordKey={id}
      onClose={close}
      returnTo={`contact-${id}`}
      actions={<AlsoHere address={`/crm/contacts/${id}`} />}
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
          <ContactDetails key={id} contact={row} onNewTask={() => setAddingTask(true)} />
          <RelatedDeals list={deals} />
          <RelatedTasks list={tasks} />
          <NewTaskDialog
            open={addingTask}
            onClose={() => setAddingTask(false)}
            preset={{ contact: { id, label: name } }}
          />
        </>
      )}
    </Panel>
  )
}
