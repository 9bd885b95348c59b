import { type Device, useDevice } from '#web/data/browser/device.ts'
import { useEffect, useEffectEvent } from 'react'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import { isRecordTable, type RecordTable } from '#web/data/store/record-tables.ts'
import { type Notice, onNotice } from '#web/data/sync/sync-status.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/**
 * Shows toasts about operations in the background: a colleague's later change replaced this person's, or an operation needs attention.
 * Renders nothing.
 */
export function SyncNotices({ onShowOutbox }: { onShowOutbox: () => void }) {
  const device = useDevice()
  const openRecord = useOpenRecord()
  const show = useEffectEvent((notice: Notice) => {
    if (notice.kind === 'attention') return toast.error(notice.text, attentionOptions(notice, onShowOutbox))
    toast.success(notice.text, {
      ...(notice.kind === 'joined' ? {} : { leading: <Avatar name={notice.by} size={24} /> }),
      ...(notice.detail && { description: notice.detail }),
      ...actionOf(device, notice, openRecord),
    })
  })
  useEffect(() => onNotice(device, (notice) => show(notice)), [device])
  return null
}

function attentionOptions({ detail }: Notice, showOutbox: () => void): ToastOptions {
  return { ...(detail && { description: detail }), action: { label: 'Show', run: showOutbox } }
}

function actionOf(
  device: Device,
  { kind, table, rowIds }: Notice,
  openRecord: (list: string, id: string) => void,
): ToastOptions {
  const [first] = rowIds
  if (!isRecordTable(table) || first === undefined) return {}
  if (kind === 'removed') return { action: { label: 'Bring back', run: () => void bringBack(device, table, rowIds) } }
  // A contact of a deal, or a note, has no page of its own.
  if (table === 'deal_contacts' || table === 'notes') return {}
  return { action: { label: 'Show', run: () => openRecord(table, first) } }
}

async function bringBack(device: Device, table: RecordTable, rowIds: readonly string[]): Promise<void> {
  const { restoreRecords } = await import('#web/data/changes/delete-records.ts')
  const outcome = await restoreRecords(device, table, rowIds)
  if (outcome.status === 'refused') toast.error('Undo failed', { description: outcome.message })
}
