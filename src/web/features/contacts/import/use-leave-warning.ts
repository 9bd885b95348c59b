import { useEffect } from 'react'
import { beginWork } from '#web/lib/begin-work.ts'

/** While an import runs, the page does not reload by itself, and the browser asks for confirmation before the tab is closed. */
export function useLeaveWarning(active: boolean): void {
  useEffect(() => (active ? beginWork() : undefined), [active])
}
