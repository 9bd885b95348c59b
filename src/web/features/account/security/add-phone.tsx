import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { enrolPhone } from '#web/data/session/enrol-factor.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { CodeInput } from '#web/ui/code-input.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { StepForm } from '#web/ui/step-form.tsx'
import { internationalNumber } from './phone-number.ts'
import { useVerifyFactor } from './use-verify-factor.ts'

/** The steps to add a phone: first its number, then the code that is sent to the phone. */
export function AddPhone({ onDone }: { onDone: () => void }) {
  const device = useDevice()
  const [typedNumber, setTypedNumber] = useState('')
  const [numberError, setNumberError] = useState<string | null>(null)
  const [factorId, setFactorId] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const numberField = useRef<HTMLInputElement>(null)
  const verification = useVerifyFactor(onDone)
  const refuse = (message: string) => {
    setNumberError(message)
    numberField.current?.focus()
  }
  const send = useOnce(async () => {
    const phone = internationalNumber(typedNumber)
    if (!phone) return refuse('Enter the number with its country code, such as +44 7700 900142')
    setSending(true)
    const enrolment = await enrolPhone(device, typedNumber.trim(), phone)
    const result = enrolment.ok ? await verification.challenge(enrolment.factorId) : enrolment
    setSending(false)
    if (!result.ok) return refuse(result.message)
    if (enrolment.ok) setFactorId(enrolment.factorId)
  })
  const submit = (code: string) => factorId && void verification.verify(factorId, code, false)
  if (!factorId) {
    return (
      <StepForm button="Send code" pending={sending} onSubmit={send}>
        <Field label="Phone number" error={numberError} hint="With the country code, such as +44.">
          <Input
            ref={numberField}
            autoFocus
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            enterKeyHint="send"
            maxLength={30}
            value={typedNumber}
            onChange={(event) => {
              setTypedNumber(event.target.value)
              setNumberError(null)
            }}
          />
        </Field>
      </StepForm>
    )
  }
  return (
    <StepForm button="Verify" pending={verification.pending} onSubmit={() => submit(verification.code)}>
      <p className="text-sm text-ink2">
        We sent six digits to <strong className="font-medium text-ink">{typedNumber.trim()}</strong>.
      </p>
      <CodeInput
        label="Code"
        value={verification.code}
        error={verification.error}
        onChange={verification.setCode}
        onComplete={submit}
        autoFocus
      />
    </StepForm>
  )
}
