import { useEffect } from 'react'
import { SyncBadge } from '#web/crm/sync-badge.tsx'
import { canWorkOffline, useIsOffline, useSyncStatus } from '#web/data/sync/sync-status.ts'
import { afterStart } from '#web/lib/after-start.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'

const loadOutboxDialog = () => import('./outbox-dialog.tsx')
const OutboxDialog = lazyDialog(async () => (await loadOutboxDialog()).OutboxDialog)

/**
 * The badge in the header, and the outbox dialog that a press on it opens. `onOpen` opens and closes the dialog. Renders nothing until the
 * sync status is known.
 */
export function SyncIndicator({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const status = useSyncStatus()
  const isOffline = useIsOffline()
  useEffect(() => afterStart(loadOutboxDialog), [])
  if (!status) return null
  return (
    <>
      {!canWorkOffline && (
        <span className="text-xs text-warn max-lg:hidden">Working offline needs https or localhost</span>
      )}
      <SyncBadge {...status} isOffline={isOffline} onClick={() => onOpen(true)} />
      <OutboxDialog open={open} onClose={() => onOpen(false)} />
    </>
  )
}
