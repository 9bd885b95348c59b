import type { ReactNode } from 'react'
import { deleteRecords, restoreRecords } from '#web/data/delete-records.ts'
import { usePeople } from '#web/data/people.ts'
import type { Task } from '#web/data/rows.ts'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { PanelMissing, PanelSkeleton } from '#web/ui/panel-parts.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { StampLine } from '#web/ui/stamp-line.tsx'
import { undoToast } from '#web/ui/undo-toast.ts'
import { TaskDetails } from './task-details.tsx'

/** A task beside its list: every field edited in place, postponed in one click, deleted with an undo. */
export function TaskPanel({
  taskId,
  row,
  missing,
  actions,
  onClose,
}: {
  taskId: string
  /** Null as long as nothing is known of it. */
  row: Task | null
  missing: boolean
  /** In the head: who else has it open. */
  actions: ReactNode
  onClose: () => void
}) {
  const people = usePeople()
  const remove = () => {
    undoToast({
      done: 'Task deleted',
      failed: 'Error deleting task',
      outcome: deleteRecords('tasks', [taskId]),
      undo: () => restoreRecords('tasks', [taskId]),
    })
    onClose()
  }
  return (
    <Panel
      kind="Task"
      recordKey={taskId}
      onClose={onClose}
      returnTo={`task-${taskId}`}
      actions={actions}
      menu={
        row && (
          <MenuItem danger icon={<DeleteIcon />} onSelect={remove}>
            Delete
          </MenuItem>
        )
      }
      footer={
        row && (
          <StampLine
            createdAt={row.created_at}
            createdBy={people.byId(row.created_by)?.name ?? null}
            changedAt={row.updated_at}
            changedBy={people.byId(row.updated_by)?.name ?? null}
          />
        )
      }
    >
      {row && <TaskDetails key={row.id} task={row} />}
      {!row && (missing ? <PanelMissing /> : <PanelSkeleton />)}
    </Panel>
  )
}
