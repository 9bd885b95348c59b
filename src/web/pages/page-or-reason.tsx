import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { useShownPage } from '#web/lib/routing/use-router.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { notOnDevice } from '#web/ui/not-on-device.ts'
import { Outlet } from '#web/ui/outlet.tsx'

/**
 * The page in the frame of /crm. Without a connection, a message replaces a page whose code is not on this device. It has no button 'Reload',
 * because the browser would show its own error page. The router loads the page when the connection is back.
 */
export function PageOrReason() {
  const isOffline = useIsOffline()
  const isMissing = useShownPage().parts.some(({ Component }) => !Component)
  if (!isOffline || !isMissing) return <Outlet />
  return (
    <div role="alert">
      <EmptyState drawing="error" {...notOnDevice} />
    </div>
  )
}
