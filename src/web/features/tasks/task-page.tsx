import { useParams } from '@tanstack/react-router'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { TaskDetails } from './task-details.tsx'

/** /crm/tasks/ID: a task in the panel beside the list. */
export function TaskPage() {
  const { id } = useParams({ from: '/crm/tasks/$id' })
  return (
    <RecordPanel table="tasks" id={id}>
      {(task) => <TaskDetails key={id} task={task} />}
    </RecordPanel>
  )
}
