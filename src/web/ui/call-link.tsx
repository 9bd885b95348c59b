import { cx } from '#web/lib/class-names.ts'
import { buttonClass } from './button.tsx'
import { PhoneIcon } from './icons.tsx'

/** A link that calls a phone number; `phone` as a person typed it. */
export function CallLink({ phone, className }: { phone: string; className?: string }) {
  return (
    <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className={cx(buttonClass(), className)}>
      <PhoneIcon className="max-sm:text-accent-text" />
      Call
    </a>
  )
}
