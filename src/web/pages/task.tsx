import { useNavigate, useParams } from '@tanstack/react-router'
import { useRecord } from '#web/data/use-record.ts'
import { Panel, PanelMissing, PanelSkeleton } from '#web/ui/panel.tsx'

/** /crm/tasks/ID: a task beside the list. */
export function TaskPage() {
  const { taskId: id } = useParams({ from: '/crm/tasks/$taskId' })
  const navigate = useNavigate()
  const { ready, row, missing } = useRecord('tasks', id)
  const close = () => void navigate({ to: '/crm/tasks', search: (kept) => kept, resetScroll: false })
  const name = row ? row.title : ''
  return (
    <Panel label={`Task ${name}`} kind="Task" recordId={id} onClose={close}>
      {missing ? <PanelMissing /> : ready && row ? <h2 className="text-xl">{name}</h2> : <PanelSkeleton />}
    </Panel>
  )
}
