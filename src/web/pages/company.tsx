import { useState } from 'react'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { nameOfRecord } from '#web/data/changes/record-words.ts'
import { useContactsOfCompany, useDealsOfCompany, useTasksOfCompany } from '#web/data/related-records.ts'
import { CompanyDetails } from '#web/features/companies/company-details.tsx'
import { RelatedContacts } from '#web/features/contacts/related-contacts.tsx'
import { NewDealDialog } from '#web/features/deals/new-deal-dialog.tsx'
import { RelatedDeals } from '#web/features/deals/related-deals.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import type { NewTaskProps } from '#web/features/tasks/new-task-form.tsx'
import { RelatedTasks } from '#web/features/tasks/related-tasks.tsx'
import { useParams } from '#web/lib/routing/use-router.ts'
import { PanelAddButton } from '#web/ui/panel-add-button.tsx'
import { RecordTimeline } from './record-timeline.tsx'

/** /crm/companies/ID: a company in the panel, with its contacts and deals, and their tasks. */
export function CompanyPage() {
  const { id = '' } = useParams()
  const contacts = useContactsOfCompany(id)
  const deals = useDealsOfCompany(id)
  const tasks = useTasksOfCompany(id)
  const [isAddingDeal, setAddingDeal] = useState(false)
  const [taskDialog, setTaskDialog] = useState<Pick<NewTaskProps, 'open' | 'preset'>>({ open: false })
  /**
   * Opens the form for a new task, in which the person can choose a contact and a deal. If the company has exactly one contact at this
   * moment, that contact is chosen already. The same applies to the deal.
   */
  const addTask = () => {
    const contact = contacts.total === 1 ? contacts.entries[0]?.contact : undefined
    const deal = deals.total === 1 ? deals.entries[0]?.deal : undefined
    const preset = {
      ...(contact && { contact: { id: contact.id, label: nameOfRecord(contact) ?? 'Contact' } }),
      ...(deal && { deal: { id: deal.id, label: deal.name } }),
    }
    setTaskDialog({ open: true, preset })
  }
  return (
    <RecordPanel table="companies" id={id}>
      {(company) => (
        <>
          <CompanyDetails key={id} company={company} />
          <RelatedContacts list={contacts} />
          {contacts.ready && (
            <RelatedDeals
              list={deals}
              action={<PanelAddButton label="New Deal" onClick={() => setAddingDeal(true)} />}
            />
          )}
          {contacts.ready && deals.ready && (
            <RelatedTasks list={tasks} action={<PanelAddButton label="New Task" onClick={addTask} />} />
          )}
          {contacts.ready && deals.ready && <RecordTimeline table="companies" id={id} />}
          <NewDealDialog
            open={isAddingDeal}
            onClose={() => setAddingDeal(false)}
            preset={{ company: { id, label: company.name } }}
          />
          <NewTaskDialog
            {...taskDialog}
            company={{ id, label: company.name }}
            onClose={() => setTaskDialog((previous) => ({ ...previous, open: false }))}
          />
        </>
      )}
    </RecordPanel>
  )
}
