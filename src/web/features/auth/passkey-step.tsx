import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { verifyPasskey } from '#web/data/session/second-factor.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { KeyIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import type { FactorStepProps } from './factor-step.ts'
import { StepCard } from './step-card.tsx'

/** The sign-in step for a passkey or security key. The browser asks the person for the passkey or key. */
export function PasskeyStep({ factor, footer, onDone }: FactorStepProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const ask = useOnce(async () => {
    setPending(true)
    const outcome = await verifyPasskey(device, factor.id)
    setPending(false)
    if (outcome.ok) onDone()
    else toast.error(outcome.message)
  })
  return (
    <StepCard
      icon={<KeyIcon className="size-7 text-accent-text" strokeWidth={1.5} />}
      title="Use your passkey"
      description={factor.name ? `Your browser asks for ${factor.name}.` : 'Your browser asks for it.'}
      footer={footer}
    >
      <Button variant="primary" size="sign-in" pending={pending} onClick={ask} className="w-full">
        Use passkey
      </Button>
    </StepCard>
  )
}
