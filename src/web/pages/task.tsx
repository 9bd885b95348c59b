import { useParams } from '@tanstack/react-router'
import { useRecord } from '#web/data/use-record.ts'
import { AlsoHere } from '#web/features/presence/also-here.tsx'
import { TaskPanel } from '#web/features/tasks/task-panel.tsx'
import { useClosePanel } from '#web/ui/record-link.tsx'
import { useOtherBrand } from './use-other-brand.ts'

/** /crm/tasks/ID: a task beside the list. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/crm/tasks/$taskId' })
  const { row, missing } = useRecord('tasks', taskId)
  useOtherBrand('tasks', taskId, missing)
  const close = useClosePanel('/crm/tasks')
  return (
    <TaskPanel
      taskId={taskId}
      row={row}
      missing={missing}
      actions={<AlsoHere address={`/crm/tasks/${taskId}`} />}
      onClose={close}
    />
  )
}
