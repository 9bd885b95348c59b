import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { enrolPhone } from '#web/data/session/enrol-factor.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { CodeInput } from '#web/ui/code-input.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { StepForm } from '#web/ui/step-form.tsx'
import { internationalNumber } from './phone-number.ts'
import { useVerifyNew } from './use-verify-new.ts'

/** The steps to add a phone: first its number, then the code that is sent to the phone. */
export function AddPhone({ onDone }: { onDone: () => void }) {
  const device = useDevice()
  const [typed, setTyped] = useState('')
  const [numberError, setNumberError] = useState<string | null>(null)
  const [factorId, setFactorId] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const numberField = useRef<HTMLInputElement>(null)
  const entry = useVerifyNew(onDone)
  const refuse = (message: string) => {
    setNumberError(message)
    numberField.current?.focus()
  }
  const send = useOnce(async () => {
    const phone = internationalNumber(typed)
    if (!phone) return refuse('Enter the number with its country code, such as +44 7700 900142')
    setSending(true)
    const enrolled = await enrolPhone(device, typed.trim(), phone)
    const sent = enrolled.ok ? await entry.challenge(enrolled.factorId) : enrolled
    setSending(false)
    if (!sent.ok) return refuse(sent.message)
    if (enrolled.ok) setFactorId(enrolled.factorId)
  })
  const submit = (code: string) => factorId && void entry.verify(factorId, code, false)
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
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setNumberError(null)
            }}
          />
        </Field>
      </StepForm>
    )
  }
  return (
    <StepForm button="Verify" pending={entry.pending} onSubmit={() => submit(entry.code)}>
      <p className="text-sm text-ink2">
        We sent six digits to <strong className="font-medium text-ink">{typed.trim()}</strong>.
      </p>
      <CodeInput
        label="Code"
        value={entry.code}
        error={entry.error}
        onChange={entry.setCode}
        onComplete={submit}
        autoFocus
      />
    </StepForm>
  )
}
