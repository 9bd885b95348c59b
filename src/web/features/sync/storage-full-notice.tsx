import { useEffect } from 'react'
import { useStorageFull } from '#web/data/store/storage-full.ts'
import { toast } from '#web/ui/toast.ts'

/** Shows a toast, once, that the disk is full and what that means. Renders nothing. */
export function StorageFullNotice() {
  const isFull = useStorageFull()
  useEffect(() => {
    if (!isFull) return
    toast.error('This device has no room left', {
      description: 'Unsent changes are kept; without a network, records will be missing here.',
    })
  }, [isFull])
  return null
}
