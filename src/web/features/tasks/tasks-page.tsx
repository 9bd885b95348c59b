import { CreateDialogs } from '#web/crm/create-dialogs.tsx'
import { MineToggle } from '#web/crm/mine-toggle.tsx'
import { useListUrl } from '#web/crm/use-list-url.ts'
import { NewTaskDialog } from './new-task-dialog.tsx'
import { TaskPanels } from './task-panels.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { Outlet } from '#web/ui/outlet.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PanelBeside } from '#web/ui/panel-beside.tsx'

/** /crm/tasks: the open tasks of the active brand and the last completed ones (spec section 2), with one task in the panel. */
export function TasksPage() {
  const { mine, showMine, part, showWhole, openId, creating, create, endCreating } = useListUrl()
  useDocumentTitle('Tasks')
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
          {part?.toggle?.(showWhole)}
        </div>
        <TaskPanels mine={mine} part={part} onShowWhole={showWhole} currentId={openId} onCreate={create} />
        <CreateDialogs table="tasks" dialog={NewTaskDialog} open={creating} onClose={endCreating} />
      </div>
    </PanelBeside>
  )
}
