import { useDevice } from '#web/data/browser/device.ts'
import { nextToSend } from '#web/data/changes/send-order.ts'
import { queue } from '#web/data/store/queue.ts'
import { sendUnsent } from '#web/data/sync/send-unsent.ts'
import { countUnsent } from '#web/data/sync/sync-status.ts'
import { countOf } from '#web/lib/count.ts'
import { useObservable } from '#web/lib/observable.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import type { SignOutState } from './use-sign-out.ts'

/**
 * The dialog 'n changes are not sent yet', with the buttons Send, Discard and Cancel. If nothing can be sent before the person decides, it says
 * 'n changes need your decision', and has 'Needs attention' instead of Send. If all changes have been sent meanwhile, it only has Sign Out and Cancel.
 * `onShowAttention` shows the list of these changes; without it, the dialog says where the list is.
 */
export function SignOutDialog({
  asking,
  pending,
  unsent,
  setPending,
  setUnsent,
  leave,
  attempt,
  cancel,
  onShowAttention,
}: SignOutState & { onShowAttention?: () => void }) {
  const device = useDevice()
  const { isReady, operations } = useObservable(queue(device))
  // Changes that another tab makes after the question are not counted here, because Discard asks again about them.
  const shownCount = isReady ? Math.min(operations.length, unsent) : unsent
  const decisionCount = nextToSend(operations) ? 0 : operations.filter(({ state }) => state !== 'waiting').length
  const send = async () => {
    setPending(true)
    const leftCount = await sendUnsent(device)
    setUnsent(leftCount)
    if (leftCount === 0) return leave()
    setPending(false)
    // If nothing can be sent before the person decides, the dialog says so.
    if (nextToSend(queue(device).get().operations))
      toast.error('Some changes could not be sent', { description: 'They are kept on this device.' })
  }
  const discard = async () => {
    // Another tab may have made changes that the dialog does not show yet.
    const count = await countUnsent(device)
    if (count > shownCount) return setUnsent(count)
    return leave()
  }
  const showAttention = () => {
    cancel()
    onShowAttention?.()
  }
  const isListElsewhere = decisionCount > 0 && !onShowAttention
  const [title, label, act] =
    decisionCount > 0
      ? [countOf(decisionCount, 'change needs', 'changes need') + ' your decision', 'Needs attention', showAttention]
      : shownCount > 0
        ? [countOf(shownCount, 'change is', 'changes are') + ' not sent yet', 'Send', () => void attempt(send)]
        : ['All changes saved', 'Sign Out', () => void attempt(send)]
  return (
    <Dialog
      open={asking}
      onClose={cancel}
      pending={pending}
      width="small"
      title={title}
      description={`${isListElsewhere ? 'To decide, open a brand and press “Needs attention”. ' : ''}Signing out removes the data of all your brands from this browser.`}
    >
      <div className="flex flex-col gap-2 pt-2">
        {!isListElsewhere && (
          <Button variant="primary" size="form" pending={pending} onClick={act} data-autofocus>
            {label}
          </Button>
        )}
        {shownCount > 0 && (
          <Button size="form" className="text-danger!" disabled={pending} onClick={() => void attempt(discard)}>
            {decisionCount > 0 && decisionCount < shownCount ? `Discard all ${shownCount}` : 'Discard'}
          </Button>
        )}
        <Button variant="quiet" size="form" disabled={pending} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
