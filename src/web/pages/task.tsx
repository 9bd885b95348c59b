import { useParams } from '@tanstack/react-router'
import { TaskPanel } from '#web/features/tasks/task-panel.tsx'
import { useClosePanel } from '#web/ui/record-link.tsx'

/** /crm/tasks/ID: a task beside the list. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/crm/tasks/$taskId' })
  const close = useClosePanel('/crm/tasks')
  return <TaskPanel taskId={taskId} onClose={close} />
}
