import { markTapRead } from '#web/data/mark-read.ts'
import { chooseBrand } from '#web/data/people/active-brand.ts'
import { nameOfBrand } from '#web/data/people/name-of-brand.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Opens the page of a tapped push, in the brand of the push, and marks its notification as read. Opens nothing if the user is no longer a member of
 * that brand. `tap` is the message of the service worker (public/push-worker.js); it has no path if the tap has opened a new window.
 */
export async function openTap(data: BrandData, tap: unknown, open: (path: string) => void): Promise<void> {
  const { device } = data
  globalThis.navigator?.serviceWorker?.controller?.postMessage({ type: 'tap-handled' })
  const [path, id] = [textOf(tap, 'path'), textOf(tap, 'notificationId')]
  // A push of an earlier version of the server does not name its brand.
  const brandId = textOf(tap, 'brandId') ?? data.brandId
  if (path?.startsWith('/crm/')) {
    if (brandId !== data.brandId) {
      const name = await nameOfBrand(device, brandId)
      if (name === undefined) return
      await chooseBrand(device, brandId)
      toast.success(`Switched to ${name}`)
    }
    open(path)
  }
  if (id) await markTapRead(data, brandId, id)
}
