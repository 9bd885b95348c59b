import { useDevice } from '#web/data/browser/device.ts'
import { sendUnsent } from '#web/data/sync/send-unsent.ts'
import { countUnsent } from '#web/data/sync/sync-status.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import type { SignOutState } from './use-sign-out.ts'

/** The dialog 'n changes are not sent yet', with the buttons Send, Discard and Cancel. */
export function SignOutDialog({
  asking,
  pending,
  unsent,
  setPending,
  setUnsent,
  leave,
  attempt,
  cancel,
}: SignOutState) {
  const device = useDevice()
  const send = async () => {
    setPending(true)
    const leftCount = await sendUnsent(device)
    if (leftCount === 0) return leave()
    setPending(false)
    setUnsent(leftCount)
    toast.error('Some changes could not be sent', { description: 'They are kept on this device.' })
  }
  const discard = async () => {
    // Another tab may have made further changes since the question was asked.
    const count = await countUnsent(device)
    if (count > unsent) return setUnsent(count)
    return leave()
  }
  return (
    <Dialog
      open={asking}
      onClose={cancel}
      pending={pending}
      width="small"
      title={unsent === 1 ? '1 change is not sent yet' : `${unsent} changes are not sent yet`}
      description="Signing out removes the data of all your brands from this browser."
    >
      <div className="flex flex-col gap-2 pt-2">
        <Button variant="primary" size="form" pending={pending} onClick={() => void attempt(send)} data-autofocus>
          Send
        </Button>
        <Button size="form" className="text-danger!" disabled={pending} onClick={() => void attempt(discard)}>
          Discard
        </Button>
        <Button variant="quiet" size="form" disabled={pending} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
