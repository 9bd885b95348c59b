import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Spinner } from './spinner.tsx'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** The accessible name of the button. The tooltip shows it, too. */
  label: string
  icon: ReactNode
  /** The key that does the same as the button ('w'): shown in the tooltip and set as aria-keyshortcuts. The caller binds the key. */
  shortcut?: string
  variant?: 'quiet' | 'default' | 'primary'
  /** The width and height: 24, 28 or 32 px on a desktop, 44 px on the phone. */
  size?: 24 | 28 | 32
  tooltip?: boolean
  pending?: boolean
}

const sizes = { 24: 'size-6', 28: 'size-7', 32: 'size-8' }
const variants = {
  quiet: 'text-ink3 hover:bg-hover hover:text-ink active:bg-active aria-expanded:bg-active aria-expanded:text-ink',
  default: 'bg-surface text-ink2 ring-1 ring-inset ring-line2 hover:bg-hover hover:text-ink active:bg-active',
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
}

/** A button that shows only an icon. */
export function IconButton(props: IconButtonProps) {
  const { label, icon, shortcut, variant = 'quiet', size = 32, tooltip = true, pending, disabled, ...rest } = props
  const { className, onClick, ...attributes } = rest
  const isEnabled = !pending && !disabled
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      {...attributes}
      aria-disabled={!isEnabled || undefined}
      aria-busy={pending || undefined}
      onClick={(event) => {
        if (isEnabled) onClick?.(event)
        else event.preventDefault()
      }}
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-control transition-[background-color,color] duration-[80ms] select-none aria-disabled:opacity-50 max-sm:size-11',
        sizes[size],
        variants[variant],
        className,
      )}
    >
      {pending ? <Spinner /> : icon}
    </button>
  )
  return tooltip ? (
    <Tooltip text={label} shortcut={shortcut}>
      {button}
    </Tooltip>
  ) : (
    button
  )
}
