import type { Device } from '#web/data/browser/device.ts'
import { restoreRecords } from '#web/data/changes/delete-records.ts'
import { hasListPage, isRecordTable, type ListedTable, type RecordTable } from '#web/data/store/record-tables.ts'
import type { Notice } from '#web/data/sync/sync-status.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

interface NoticeActions {
  openRecord: (list: ListedTable, id: string) => void
  showOutbox: () => void
}

/**
 * Shows a notice as a toast. Its button is 'Bring back' for records that this user has deleted, otherwise 'Show', which opens the outbox or the
 * record. A notice about a record of a table without a list page has no button.
 */
export function showNotice(device: Device, notice: Notice, { openRecord, showOutbox }: NoticeActions): void {
  if (notice.kind === 'attention') return toast.error(notice.text, attentionOptions(notice, showOutbox))
  toast.success(notice.text, {
    ...(notice.kind === 'merged' ? {} : { leading: <Avatar name={notice.by} size={24} /> }),
    ...(notice.detail && { description: notice.detail }),
    ...actionOf(device, notice, openRecord),
  })
}

function attentionOptions({ detail }: Notice, showOutbox: () => void): ToastOptions {
  return { ...(detail && { description: detail }), action: { label: 'Show', run: showOutbox } }
}

function actionOf(
  device: Device,
  { kind, table, rowIds }: Notice,
  openRecord: NoticeActions['openRecord'],
): ToastOptions {
  const [first] = rowIds
  if (!isRecordTable(table) || first === undefined) return {}
  if (kind === 'deleted-here')
    return { action: { label: 'Bring back', run: () => void bringBack(device, table, rowIds) } }
  if (!hasListPage(table)) return {}
  return { action: { label: 'Show', run: () => openRecord(table, first) } }
}

async function bringBack(device: Device, table: RecordTable, rowIds: readonly string[]): Promise<void> {
  const outcome = await restoreRecords(device, table, rowIds)
  if (outcome.status === 'refused') toast.error('Undo failed', { description: outcome.message })
}
