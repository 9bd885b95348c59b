import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useEffectEvent } from 'react'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import { type Notice, onNotice } from '#web/data/sync/sync-status.ts'

/**
 * Shows a toast if an operation that was sent in the background had an unexpected result: a colleague's later change replaced this person's
 * change; this person deleted a record that a colleague had just changed; an added record existed already; or an operation needs attention.
 * Renders nothing.
 */
export function SyncNotices({ onShowOutbox }: { onShowOutbox: () => void }) {
  const device = useDevice()
  const openRecord = useOpenRecord()
  const show = useEffectEvent((notice: Notice) => {
    void import('./show-notice.tsx').then(
      ({ showNotice }) => showNotice(device, notice, { openRecord, showOutbox: onShowOutbox }),
      // If the code cannot be loaded, there is no toast. An operation that needs attention is still listed in the outbox dialog.
      () => {},
    )
  })
  useEffect(() => onNotice(device, (notice) => show(notice)), [device])
  return null
}
