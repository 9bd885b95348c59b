import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { queue, updateQueue } from '#web/data/store/queue.ts'
import type { Verdict } from './conflict.ts'
import { loadRareSendCode } from './load-rare-send-code.ts'
import { isSameValue } from './same-value.ts'
import { sendWaiting } from './sender.ts'

/**
 * Keeps an operation in the state 'conflict' up to date with its record on this device, while the user is asked which value is right. If a colleague
 * changes the record again, the conflict gets the newer values. If the record is deleted, the state becomes 'deleted'. If no conflict is left, the
 * operation is sent. Returns the function that ends this.
 */
export function followConflict(device: Device, id: string): () => void {
  const data = openBrand(device).get()
  const operationNow = () =>
    queue(device)
      .get()
      .operations.find((each) => each.id === id)
  const followed = operationNow()
  if (!data || followed?.brandId !== data.brandId) return () => {}
  const rows = data.tables[followed.table]
  const follow = async () => {
    // If the code cannot be loaded, the operation stays in the state 'conflict', without the newer values.
    const code = await loadRareSendCode().catch(() => null)
    const operation = operationNow()
    if (!code || operation?.state !== 'conflict') return
    const row = rows.serverRow(operation.rowId)
    if (row ? row.version <= operation.version : !data.recentlyDeleted.has(operation.rowId)) return
    const isDeleted = (rowId: string) => data.recentlyDeleted.has(rowId)
    await updateQueue(
      device,
      operation.userId,
      [],
      [applyVerdict(operation, code.judgeUpdate(operation, row, isDeleted))],
    )
    await sendWaiting(device)
  }
  void follow()
  return rows.subscribe(() => void follow())
}

function applyVerdict(operation: Operation, verdict: Verdict): Operation {
  const noConflict = { conflicts: [], theirsAt: null, theirsBy: null }
  if (verdict.kind === 'deleted')
    return { ...operation, ...noConflict, state: 'deleted', reason: 'This record was deleted meanwhile.' }
  // With version 0, the sender reads the row and compares it.
  if (verdict.kind !== 'ask') return { ...operation, ...noConflict, state: 'waiting', version: 0 }
  const { conflicts, row } = verdict
  const isNewer = conflicts.some(({ field, theirs }) => {
    const known = operation.conflicts.find((each) => each.field === field)
    return !known || !isSameValue(known.theirs, theirs)
  })
  // If the row's last change left the fields in conflict as they were, another change caused the conflict.
  const otherChange = isNewer ? { theirsAt: row.updated_at, theirsBy: row.updated_by } : {}
  return { ...operation, conflicts, version: row.version, ...otherChange }
}
