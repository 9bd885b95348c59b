import { Button } from '#web/ui/button.tsx'
import { MailIcon } from '#web/ui/icons.tsx'

/** After signing up where addresses are confirmed by mail. */
export function CheckYourMail({ email, onBack }: { email: string; onBack: () => void }) {
  return (
    <section aria-labelledby="check-mail" className="flex flex-col items-start">
      <MailIcon className="size-7 text-accent-text" />
      <h2 id="check-mail" tabIndex={-1} className="mt-5 text-xl">
        Check your mail
      </h2>
      <p className="mt-1 text-sm text-ink2">
        We sent a link to <strong className="font-medium text-ink">{email}</strong>. Open it to go on.
      </p>
      <Button className="mt-6" size="form" onClick={onBack}>
        Back to Sign In
      </Button>
    </section>
  )
}
