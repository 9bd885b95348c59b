import { useState } from 'react'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { TaskPanels } from '#web/features/tasks/task-panels.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** /crm/tasks: what is to do in the active brand, and what was done last (spec section 2). */
export function TasksPage() {
  useDocumentTitle('Tasks')
  const [creating, setCreating] = useState(false)
  const create = () => setCreating(true)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="px-6 pt-6 pb-4 max-sm:px-4 max-sm:pt-2 max-sm:pb-3">
        <PageHeader title="Tasks" actions={<AddButton label="New Task" onClick={create} />} />
      </div>
      <TaskPanels onCreate={create} />
      <NewTaskDialog open={creating} onClose={() => setCreating(false)} />
    </div>
  )
}
