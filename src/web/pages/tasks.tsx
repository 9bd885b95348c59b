import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { endCorrection, useCorrection } from '#web/data/changes/correction.ts'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { TaskPanels } from '#web/features/tasks/task-panels.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { MineToggle } from '#web/crm/mine-toggle.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PanelBeside } from '#web/ui/panel-beside.tsx'

/** /crm/tasks: what is to do in the active brand, and what was done last (spec section 2); a task's panel beside it. */
export function TasksPage() {
  useDocumentTitle('Tasks')
  const { mine: isMine, new: isNew } = useSearch({ from: '/crm/tasks' })
  const mine = isMine === 1
  const { taskId = null } = useParams({ strict: false })
  const navigate = useNavigate({ from: '/crm/tasks' })
  const [creating, setCreating] = useState(isNew === 1)
  const correction = useCorrection('tasks')
  const create = () => setCreating(true)
  const endCreating = () => {
    setCreating(false)
    if (isNew)
      void navigate({ to: '.', search: (old) => ({ ...old, new: undefined }), replace: true, resetScroll: false })
  }
  const showMine = (on: boolean) =>
    void navigate({ to: '.', search: (old) => ({ ...old, mine: on ? 1 : undefined }), replace: true })
  useShortcut('n', create)
  return (
    <PanelBeside panel={<Outlet />}>
      <div className="flex h-full min-h-0 flex-col">
        <div className="px-6 pt-6 pb-4 max-sm:px-4 max-sm:pt-2 max-sm:pb-3">
          <PageHeader
            title="Tasks"
            actions={
              <>
                <MineToggle pressed={mine} onChange={showMine} />
                <AddButton label="New Task" onClick={create} />
              </>
            }
          />
        </div>
        <TaskPanels mine={mine} currentId={taskId} onCreate={create} />
        {correction && <NewTaskDialog key={correction.rowId} open onClose={endCorrection} correction={correction} />}
        <NewTaskDialog open={creating} onClose={endCreating} />
      </div>
    </PanelBeside>
  )
}
