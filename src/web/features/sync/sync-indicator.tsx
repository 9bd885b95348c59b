import { lazy, Suspense, useEffect, useState } from 'react'
import { useSyncStatus, worksOffline } from '#web/data/sync-status.ts'
import { whenIdle } from '#web/lib/when-idle.ts'
import { SyncBadge } from '#web/ui/sync-badge.tsx'

const loadQueueDialog = () => import('./queue-dialog.tsx')
const QueueDialog = lazy(() => loadQueueDialog().then((module) => ({ default: module.QueueDialog })))

/** The badge in the header and the queue behind it. Nothing until the state is known. */
export function SyncIndicator() {
  const status = useSyncStatus()
  const [open, setOpen] = useState(false)
  useEffect(() => whenIdle(loadQueueDialog), [])
  if (!status) return null
  return (
    <>
      {!worksOffline && (
        <span className="text-xs text-warn max-lg:hidden">Working offline needs https or localhost</span>
      )}
      <SyncBadge state={status.state} count={status.count} onClick={() => setOpen(true)} />
      <Suspense>{open && <QueueDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
