import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { SigningOut } from './use-sign-out.ts'

/** 'n changes are not sent yet': Send, Discard, Cancel. */
export function SignOutDialog({ asking, pending, unsent, send, discard, cancel }: SigningOut) {
  return (
    <Dialog
      open={asking}
      onClose={cancel}
      pending={pending}
      width="small"
      title={unsent === 1 ? '1 change is not sent yet' : `${unsent} changes are not sent yet`}
      description="Signing out removes this brand’s data from this browser."
    >
      <div className="flex flex-col gap-2 pt-2">
        <Button variant="primary" size="form" pending={pending} onClick={send} data-autofocus>
          Send
        </Button>
        <Button size="form" className="text-danger!" disabled={pending} onClick={discard}>
          Discard
        </Button>
        <Button variant="quiet" size="form" disabled={pending} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
