import { useDevice } from '#web/data/browser/device.ts'
import { useIsOutOfDate } from '#web/data/store/out-of-date.ts'
import { applyUpdate, useUpdateWaiting } from '#web/data/server/service-worker.ts'
import { Button } from '#web/ui/button.tsx'

/** Says that a newer version of the app is ready, or that this page is out of date. The button reloads the page. */
export function UpdateNotice() {
  const device = useDevice()
  const isUpdateWaiting = useUpdateWaiting()
  const isOutOfDate = useIsOutOfDate()
  if (!isUpdateWaiting && !isOutOfDate) return null
  return (
    <div
      role="status"
      className="fixed top-16 left-1/2 z-20 flex -translate-x-1/2 items-center gap-4 rounded-card bg-raised py-2 pr-2 pl-4 text-sm text-ink shadow-pop max-sm:w-[calc(100vw-2rem)] max-sm:justify-between sm:whitespace-nowrap"
    >
      <span>{isOutOfDate ? 'This page is out of date: a newer version was used here' : 'A new version is ready'}</span>
      <Button onClick={() => applyUpdate(device)}>Reload</Button>
    </div>
  )
}
