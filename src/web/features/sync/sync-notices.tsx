import { useEffect } from 'react'
import { onNotice } from '#web/data/sync-status.ts'
import { toast } from '#web/ui/toast.ts'

/** Says in a toast that a colleague's later change stands. Draws nothing. */
export function SyncNotices() {
  useEffect(() => onNotice((notice) => toast.success(notice.text)), [])
  return null
}
