import type { Device } from '#web/data/browser/device.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { type Operation, rowIdsOf } from '#web/data/store/operation.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { Task } from '#web/data/server/rows.ts'
import { nextDue, nextTaskId } from '#web/lib/series.ts'
import { removeDeleted } from './remove-deleted.ts'
import { loadRareSendCode } from './load-rare-send-code.ts'

/**
 * If an operation changes the status of a repeating task, adds the next task of the series to `operation.also`, because the server will create
 * or delete that next task (`private.continue_series`).
 */
export function addSeriesRows(data: BrandData, operation: Operation): void {
  const also: Record<string, AnyRow | null> = {}
  for (const id of rowIdsOf(operation)) {
    const task = data.tables.tasks.get(id)
    if (!task?.repeats || task.status === operation.values.status) continue
    const nextId = nextTaskId(id)
    const next = data.tables.tasks.get(nextId)
    if (task.status === 'done') {
      if (next && isUntouched(data, next)) also[nextId] = null
    } else if (!next) {
      const due = nextDue(task.due_at, task.repeats, Date.parse(operation.at))
      if (due !== null) also[nextId] = nextTaskOf(task, nextId, due, operation)
    }
  }
  if (Object.keys(also).length > 0) operation.also = also
}

function isUntouched(data: BrandData, task: Task): boolean {
  if (task.status !== 'open' || Date.parse(task.updated_at) !== Date.parse(task.created_at)) return false
  return data.tables.tasks.operationsOf(task.id).every((operation) => !rowIdsOf(operation).includes(task.id))
}

/** Returns the next task of a series as the server will create it. Version 0 means that the server has not created it yet. */
function nextTaskOf(task: Task, id: string, due: string, { at, userId }: Operation): Task {
  const serverColumns = { created_at: at, updated_at: at, updated_by: userId, rev: 0, version: 0 }
  return { ...task, id, due_at: due, status: 'open', completed_at: null, ...serverColumns }
}

/**
 * Reads the tasks that the server has created or deleted because of an edit, and stores or removes them before the preview of the edit is removed.
 * If the server does not answer, the next pull does this.
 */
export async function settleSeriesRows(device: Device, operation: Operation): Promise<void> {
  const ids = Object.keys(operation.also ?? {})
  const code = await loadRareSendCode().catch(() => null)
  const answer = await code?.readCurrentRows(device, operation, ids)
  if (answer?.kind !== 'applied') return
  const { userId, brandId, table } = operation
  await storeRows(device, { userId, brandId, table, rows: answer.rows })
  await removeDeleted(device, operation, answer.missing)
}
