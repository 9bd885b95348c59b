import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { mySecondFactors } from '#web/data/session/enrol-factor.ts'
import { mySessions } from '#web/data/session/my-sessions.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { recoveryCodesLeft } from '#web/data/session/recovery-codes.ts'
import type { Factor, FactorKind } from '#web/data/session/second-factor.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { AddApp } from './add-app.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { AddPhone } from './add-phone.tsx'
import { FactorKindChoice } from './factor-kind-choice.tsx'

const titles = { totp: 'Add an authenticator app', phone: 'Add a phone', webauthn: 'Add a passkey' } as const

/**
 * Adds a second factor: the person chooses its kind and follows the steps of that kind. Adding the first factor ends all other sessions.
 */
export function AddFactorDialog({ taken, onClose }: { taken: readonly Factor[]; onClose: () => void }) {
  const device = useDevice()
  const [kind, setKind] = useState<FactorKind | null>(null)
  const sessions = useOnlineValue(mySessions).value
  const isFirst = taken.length === 0
  const onDone = () => {
    const haveOthersEnded = isFirst && sessions?.length !== 1
    toast.success('Factor added', { description: haveOthersEnded ? 'Your other sessions have ended.' : undefined })
    onClose()
    const shownValues = [mySecondFactors, recoveryCodesLeft, mySessions]
    void Promise.all(shownValues.map((value) => value(device).reload()))
  }
  const names = taken.map(({ name }) => name)
  return (
    <Dialog
      open
      onClose={onClose}
      width="small"
      title={kind ? titles[kind] : 'Add a factor'}
      description={
        isFirst ? 'The first second factor ends your other sessions: sign in again on other devices.' : undefined
      }
    >
      {kind === null && <FactorKindChoice onChoose={setKind} />}
      {kind === 'totp' && <AddApp taken={names} onDone={onDone} />}
      {kind === 'phone' && <AddPhone onDone={onDone} />}
      {kind === 'webauthn' && <AddPasskey taken={names} onDone={onDone} />}
    </Dialog>
  )
}
