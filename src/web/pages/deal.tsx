import { useState } from 'react'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { useDeal } from '#web/data/deals.ts'
import { useTasksOfDeal } from '#web/data/related-records.ts'
import { DealDetails } from '#web/features/deals/deal-details.tsx'
import { FurtherContacts } from '#web/features/deals/further-contacts.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { RelatedTasks } from '#web/features/tasks/related-tasks.tsx'
import { useParams } from '#web/lib/routing/use-router.ts'
import { PanelAddButton } from '#web/ui/panel-add-button.tsx'
import { RecordTimeline } from './record-timeline.tsx'

/** /crm/deals/ID: a deal in the panel beside the board. */
export function DealPage() {
  const { id = '' } = useParams()
  const { card } = useDeal(id)
  const tasks = useTasksOfDeal(id)
  const [isAddingTask, setAddingTask] = useState(false)
  const addTask = <PanelAddButton label="New Task" onClick={() => setAddingTask(true)} />
  return (
    <RecordPanel table="deals" id={id}>
      {(deal) => (
        <>
          {card && (
            <>
              <DealDetails key={id} card={card} />
              <FurtherContacts key={`${id} contacts`} deal={card.deal} />
              <RelatedTasks list={tasks} action={addTask} />
              {tasks.ready && <RecordTimeline table="deals" id={id} />}
            </>
          )}
          <NewTaskDialog
            open={isAddingTask}
            onClose={() => setAddingTask(false)}
            preset={{ deal: { id, label: deal.name } }}
          />
        </>
      )}
    </RecordPanel>
  )
}
