import { RecordPanel } from '#web/crm/record-panel.tsx'
import { useParams } from '#web/lib/routing/use-router.ts'
import { TaskDetails } from './task-details.tsx'

/** /crm/tasks/ID: a task in the panel beside the list. */
export function TaskPage() {
  const { id = '' } = useParams()
  return (
    <RecordPanel table="tasks" id={id}>
      {(task) => <TaskDetails key={id} task={task} />}
    </RecordPanel>
  )
}
