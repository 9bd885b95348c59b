import { useEffect, useEffectEvent } from 'react'
import { useOnLine } from '#web/data/server/network.ts'
import { useSession } from '#web/data/session/session.ts'
import { rememberUrl } from '#web/lib/remembered-url.ts'
import { isModalOpen } from '#web/ui/use-modal.ts'

const typingCheckIntervalMs = 500

/**
 * When the server has ended the session, stores the URL for the next sign-in and calls `leave`. While the browser is offline, `leave` waits,
 * because the person could not sign in. It also waits while the person is typing; their edits are stored on this device and sent after the
 * next sign-in.
 */
export function useSessionEnd(leave: () => void): void {
  const hasEnded = useSession().session?.expired === true
  const mustLeave = useOnLine() && hasEnded
  const leaveForSignIn = useEffectEvent(() => {
    rememberUrl(location.pathname + location.search)
    leave()
  })
  useEffect(() => {
    if (!mustLeave) return
    if (!isTyping()) return leaveForSignIn()
    const timer = setInterval(() => {
      if (isTyping()) return
      clearInterval(timer)
      leaveForSignIn()
    }, typingCheckIntervalMs)
    return () => clearInterval(timer)
  }, [mustLeave])
}

/** Whether a dialog is open or a non-empty field has the focus. */
function isTyping(): boolean {
  const field = document.activeElement
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  return isModalOpen() || (isField && field.value !== '')
}
