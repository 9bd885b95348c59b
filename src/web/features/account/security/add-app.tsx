import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { enrolApp, type NewApp } from '#web/data/session/enrol-factor.ts'
import { CodeInput } from '#web/ui/code-input.tsx'
import { StepForm } from '#web/ui/step-form.tsx'
import { FactorNameForm } from './factor-name-form.tsx'
import { useVerifyFactor } from './use-verify-factor.ts'

/** The steps to add an authenticator app: first its name, then the QR code (and the secret as text) and the first code. */
export function AddApp({ taken, onDone }: { taken: readonly string[]; onDone: () => void }) {
  const device = useDevice()
  const [app, setApp] = useState<NewApp | null>(null)
  async function enrol(name: string) {
    const outcome = await enrolApp(device, name)
    if (!outcome.ok) return outcome.message
    setApp(outcome)
    return null
  }
  if (app) return <ScanApp app={app} onDone={onDone} />
  return (
    <FactorNameForm
      suggested="My phone"
      taken={taken}
      hint="Sign-in shows this name when it asks for the factor."
      onName={enrol}
    />
  )
}

function ScanApp({ app, onDone }: { app: NewApp; onDone: () => void }) {
  const { code, setCode, error, pending, verify } = useVerifyFactor(onDone)
  const submit = (entered: string) => void verify(app.factorId, entered, true)
  return (
    <StepForm button="Verify" pending={pending} onSubmit={() => submit(code)}>
      <p className="text-sm text-ink2">
        Scan this with your authenticator app, then enter the six digits that it shows.
      </p>
      {/* Scanners need contrast: dark on white in both themes. */}
      <img
        src={app.qrCode}
        alt="QR code for your authenticator app"
        className="mx-auto size-48 rounded-card bg-white p-3"
      />
      <div>
        <p className="text-xs text-ink3">Or enter this key by hand:</p>
        <p
          data-testid="secret"
          className="num mt-1 rounded-control bg-sunken px-3 py-2 text-sm font-medium text-balance wrap-anywhere select-all"
        >
          {app.secret.match(/.{1,4}/g)?.join(' ')}
        </p>
      </div>
      <CodeInput label="Code" value={code} error={error} onChange={setCode} onComplete={submit} autoFocus />
    </StepForm>
  )
}
