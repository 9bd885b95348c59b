import { cx } from '#web/lib/class-names.ts'
import { buttonClass } from './button.tsx'
import { PhoneIcon } from './icons.tsx'

interface CallLinkProps {
  /** The phone number, as the person typed it. */
  phone: string
  /** Called when the person starts a call. */
  onCall: () => void
  className?: string
}

/** A link that calls a phone number. */
export function CallLink({ phone, onCall, className }: CallLinkProps) {
  return (
    <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} onClick={onCall} className={cx(buttonClass(), className)}>
      <PhoneIcon className="max-sm:text-accent-text" />
      Call
    </a>
  )
}
