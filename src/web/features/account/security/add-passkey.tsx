import { useDevice } from '#web/data/browser/device.ts'
import { enrolPasskey } from '#web/data/session/enrol-factor.ts'
import { FactorNameForm } from './factor-name-form.tsx'

/** The steps to add a passkey or security key: first the person types its name, then the browser asks for the passkey or key. */
export function AddPasskey({ taken, onDone }: { taken: readonly string[]; onDone: () => void }) {
  const device = useDevice()
  async function add(name: string) {
    const outcome = await enrolPasskey(device, name)
    if (!outcome.ok) return outcome.message
    onDone()
    return null
  }
  return (
    <FactorNameForm
      suggested="This device"
      taken={taken}
      hint="Next, your browser asks what to use: this device, your phone, or a security key."
      onName={add}
    />
  )
}
