import { useDevice } from '#web/data/browser/device.ts'
import type { ReactNode } from 'react'
import { requestPasswordReset, sendLinkAgain } from '#web/data/session/mail-links.ts'
import { MailIcon } from '#web/ui/icons.tsx'
import { SendAgain } from './send-again.tsx'
import { StepCard } from './step-card.tsx'

interface CheckMailProps {
  kind: 'signup' | 'recovery'
  /** True if the link of a sign-up was requested again. The server sends no link if the email address is confirmed or unknown. */
  again: boolean
  email: string
  back: ReactNode
}

/** Says that a link was sent, after signing up or for a new password. Does not reveal whether the email address has an account. */
export function CheckMail({ kind, again, email, back }: CheckMailProps) {
  const device = useDevice()
  const address = <strong className="font-medium break-words text-ink">{email}</strong>
  return (
    <StepCard
      icon={<MailIcon className="size-7 text-accent-text" strokeWidth={1.5} />}
      title="Check your mail"
      description={
        kind === 'signup' ? (
          again ? (
            <>If {address} waits for confirmation, a link is on its way. If you have confirmed it already, sign in.</>
          ) : (
            <>We sent a link to {address}. It works for one day.</>
          )
        ) : (
          <>If {address} has an account, a link is on its way. It works for one hour.</>
        )
      }
      footer={back}
    >
      <SendAgain
        send={() => (kind === 'signup' ? sendLinkAgain(device, 'signup', email) : requestPasswordReset(device, email))}
        sent="Link sent"
      />
      <p className="mt-4 text-center text-xs text-ink2">
        Nothing there? Look in the spam folder, or ask the administrator of your Banyan CRM.
      </p>
    </StepCard>
  )
}
