import { useDevice } from '#web/data/browser/device.ts'
import type { ReactNode } from 'react'
import { requestPasswordReset } from '#web/data/session/mail-links.ts'
import { EmailForm } from './email-form.tsx'
import { StepCard } from './step-card.tsx'

interface ForgotPasswordProps {
  email: string
  back: ReactNode
  onSent: (email: string) => void
}

/** The form that requests the email with a link to set a new password. */
export function ForgotPassword({ email, back, onSent }: ForgotPasswordProps) {
  const device = useDevice()
  return (
    <StepCard title="Forgot your password?" description="We send a link to set a new one." footer={back}>
      <EmailForm
        email={email}
        button="Send link"
        send={(email) => requestPasswordReset(device, email)}
        onSent={onSent}
      />
    </StepCard>
  )
}
