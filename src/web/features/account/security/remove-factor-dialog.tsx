import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { mySecondFactors, removeFactor } from '#web/data/session/enrol-factor.ts'
import { recoveryCodesLeft } from '#web/data/session/recovery-codes.ts'
import type { Factor } from '#web/data/session/second-factor.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'

interface RemoveFactorDialogProps {
  factor: Factor
  /** Whether this is the last factor. After its removal, sign-in asks for no factor. */
  last: boolean
  onClose: () => void
}

/** Asks for confirmation before a factor is removed. */
export function RemoveFactorDialog({ factor, last, onClose }: RemoveFactorDialogProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const remove = useOnce(async () => {
    setPending(true)
    const outcome = await removeFactor(device, factor)
    setPending(false)
    if (!outcome.ok) return toast.error('The factor was not removed', { description: outcome.message })
    toast.success('Factor removed')
    onClose()
    await Promise.all([mySecondFactors(device).reload(), recoveryCodesLeft(device).reload()])
  })
  return (
    <Dialog
      open
      onClose={onClose}
      pending={pending}
      width="small"
      title={`Remove ${factor.name || 'this factor'}?`}
      description={
        last
          ? 'It is your last one: your password alone will be enough to sign in, and your recovery codes are deleted, too.'
          : 'Sign-in will not ask for it any more.'
      }
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" pending={pending} onClick={remove} data-autofocus>
            Remove
          </Button>
        </>
      }
    />
  )
}
