import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { type Factor, type SecondFactors, verifyPasskey } from '#web/data/session/second-factor.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/code-input.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { ProveRecoveryCode } from './prove-recovery-code.tsx'
import { useVerifyFactor } from './use-verify-factor.ts'

interface ProveFactorProps extends SecondFactors {
  onDone: () => void
}

/**
 * Asks for a second factor in a dialog: if there are several, the person chooses one; then the person enters its code or confirms in the browser.
 * A person who cannot use a factor enters a recovery code.
 */
export function ProveFactor({ factors, hasRecoveryCodes, onDone }: ProveFactorProps) {
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false)
  const chosenFactor =
    factors.find(({ id }) => id === chosenId) ?? factors.find(({ kind }) => kind !== 'phone') ?? factors[0]
  if (!chosenFactor) return null
  return (
    <div className="flex flex-col gap-5">
      {usesRecoveryCode ? (
        <ProveRecoveryCode onDone={onDone} />
      ) : (
        <>
          {factors.length > 1 && (
            <Field label="Second factor">
              <Select
                value={chosenFactor.id}
                options={factors.map(({ id, name }) => ({ value: id, label: name || 'Second factor' }))}
                onChange={setChosenId}
              />
            </Field>
          )}
          {chosenFactor.kind === 'webauthn' ? (
            <ProvePasskey key={chosenFactor.id} factor={chosenFactor} onDone={onDone} />
          ) : (
            <ProveCode key={chosenFactor.id} factor={chosenFactor} onDone={onDone} />
          )}
        </>
      )}
      {hasRecoveryCodes && (
        <Button variant="quiet" onClick={() => setUsesRecoveryCode(!usesRecoveryCode)}>
          {usesRecoveryCode ? 'Use a second factor' : 'Use a recovery code'}
        </Button>
      )}
    </div>
  )
}

function ProvePasskey({ factor, onDone }: { factor: Factor; onDone: () => void }) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const ask = useOnce(async () => {
    setPending(true)
    const outcome = await verifyPasskey(device, factor.id)
    setPending(false)
    if (outcome.ok) onDone()
    else setError(outcome.message)
  })
  return (
    <>
      <Button pending={pending} size="form" onClick={ask}>
        Use passkey
      </Button>
      {error && (
        <p role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </>
  )
}

function ProveCode({ factor, onDone }: { factor: Factor; onDone: () => void }) {
  const { code, setCode, error, setError, pending, challenge, verify } = useVerifyFactor(onDone)
  const [isSent, setIsSent] = useState(factor.kind !== 'phone')
  const send = useOnce(async () => {
    const outcome = await challenge(factor.id)
    if (outcome.ok) setIsSent(true)
    else setError(outcome.message)
  })
  const submit = (entered: string) => void verify(factor.id, entered, factor.kind === 'totp')
  return (
    <>
      {!isSent && (
        <Button size="form" onClick={send}>
          Send a code to {factor.name || 'your phone'}
        </Button>
      )}
      <CodeInput label="Code" value={code} error={error} onChange={setCode} onComplete={submit} />
      <Button size="form" pending={pending} onClick={() => submit(code)}>
        Verify
      </Button>
    </>
  )
}
