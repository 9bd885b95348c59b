import { useEffect } from 'react'
import { useSyncStatus, worksOffline } from '#web/data/sync/sync-status.ts'
import { whenIdle } from '#web/lib/when-idle.ts'
import { SyncBadge } from '#web/crm/sync-badge.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { showQueue, useQueueShown } from './queue-shown.ts'

const loadQueueDialog = () => import('./queue-dialog.tsx')
const QueueDialog = lazyDialog(async () => (await loadQueueDialog()).QueueDialog)

/** The badge in the header, and the outbox that it opens. Nothing until the state is known. */
export function SyncIndicator() {
  const status = useSyncStatus()
  const open = useQueueShown()
  useEffect(() => whenIdle(loadQueueDialog), [])
  if (!status) return null
  return (
    <>
      {!worksOffline && (
        <span className="text-xs text-warn max-lg:hidden">Working offline needs https or localhost</span>
      )}
      <SyncBadge state={status.state} count={status.count} onClick={() => showQueue(true)} />
      <QueueDialog open={open} onClose={() => showQueue(false)} />
    </>
  )
}
