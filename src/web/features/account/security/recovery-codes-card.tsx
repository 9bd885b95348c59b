import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useState } from 'react'
import { mySecondFactors } from '#web/data/session/enrol-factor.ts'
import { requestRecoveryCodes, recoveryCodesLeft, unsavedRecoveryCodes } from '#web/data/session/recovery-codes.ts'
import { useObservable } from '#web/lib/observable.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { CardProblem, SecurityCard } from './security-card.tsx'

/**
 * The card to create and replace the ten recovery codes. Each code can be used once, instead of a factor. New codes are shown until the person
 * presses 'I have saved them', also if another page was shown meanwhile; then they are never shown again. The card is shown only if the person has a
 * factor.
 */
export function RecoveryCodesCard() {
  const device = useDevice()
  const factorsState = useOnlineValue(mySecondFactors)
  const { ready, value, error } = useOnlineValue(recoveryCodesLeft)
  const unsaved = unsavedRecoveryCodes(device)
  const codes = useObservable(unsaved)
  const [areNew, setAreNew] = useState(false)
  const [pending, setPending] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useEffect(
    () => () => {
      if (unsaved.get()) toast.error('Your recovery codes are not saved yet', { description: unsavedText })
    },
    [unsaved],
  )
  if (!factorsState.value?.factors.length || !ready) return null
  const makeCodes = async () => {
    if (pending) return
    setPending(true)
    const outcome = await requestRecoveryCodes(device, value !== null)
    setAsking(false)
    if (outcome.ok) setAreNew(true)
    else if (outcome.code !== null) toast.error('No codes were made', { description: outcome.message })
    else toast.error('It is not known whether codes were made', { description: unansweredText(value !== null) })
    // The server may have made the codes although its response was lost.
    await recoveryCodesLeft(device).reload()
    setPending(false)
  }
  if (codes) {
    return (
      <SecurityCard
        title="Recovery codes"
        description="Shown once. Each code works one time; do not keep them on this computer."
      >
        <RecoveryCodes codes={codes} isFocused={areNew} onSaved={() => unsaved.set(null)} />
      </SecurityCard>
    )
  }
  return (
    <SecurityCard
      title="Recovery codes"
      description={
        value
          ? `${value.remaining} of ${value.total} are left. Each works one time.`
          : 'Ten codes to sign in with when you cannot use a factor.'
      }
    >
      {error && <CardProblem message={error} onRetry={() => void recoveryCodesLeft(device).reload()} />}
      <Button className="mt-4" pending={pending} onClick={() => (value ? setAsking(true) : void makeCodes())}>
        {value ? 'Make new codes' : 'Make recovery codes'}
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        pending={pending}
        width="small"
        title="Make new codes?"
        description="The old codes stop working."
        footer={
          <>
            <Button disabled={pending} onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button variant="primary" pending={pending} onClick={() => void makeCodes()} data-autofocus>
              Make new codes
            </Button>
          </>
        }
      />
    </SecurityCard>
  )
}

const unsavedText = 'They stay under Security until you press ‘I have saved them’ or sign out.'

function unansweredText(hadCodes: boolean): string {
  return hadCodes
    ? 'The server did not answer. The old codes may no longer work: make new ones again.'
    : 'The server did not answer. Make codes again when it does.'
}
