import { useParams } from '@tanstack/react-router'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { TaskDetails } from '#web/features/tasks/task-details.tsx'

/** /crm/tasks/ID: a task in the panel beside the list. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/crm/tasks/$taskId' })
  return (
    <RecordPanel table="tasks" id={taskId}>
      {(task) => <TaskDetails key={taskId} task={task} />}
    </RecordPanel>
  )
}
