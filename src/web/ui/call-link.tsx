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

/** A link that calls a phone number. Shows nothing for a text that is not a complete phone number. */
export function CallLink({ phone, onCall, className }: CallLinkProps) {
  const uri = telUri(phone)
  if (uri === null) return null
  return (
    <a href={uri} onClick={onCall} className={cx(buttonClass(), className)}>
      <PhoneIcon className="max-sm:text-accent-text" />
      Call
    </a>
  )
}
