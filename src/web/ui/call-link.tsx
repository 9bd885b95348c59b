import { cx } from '#web/lib/class-names.ts'
import { telUri } from '#web/lib/tel-uri.ts'
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
    <a href={telUri(phone)} onClick={onCall} className={cx(buttonClass(), className)}>
      <PhoneIcon className="max-sm:text-accent-text" />
      Call
    </a>
  )
}
