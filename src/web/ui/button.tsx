import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'default' | 'quiet' | 'danger'
/** The height of a button. On a desktop it is 32, 36 or 40 px, on the phone at least 44 px. */
export type ButtonSize = 'control' | 'form' | 'sign-in'

const baseClasses =
  'relative inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-control font-medium select-none transition-[background-color,box-shadow,color] duration-[80ms] aria-disabled:cursor-not-allowed'

const variants: Record<ButtonVariant, string> = {
  primary:
    'bg-accent text-on-accent not-aria-disabled:hover:bg-accent-hover not-aria-disabled:active:brightness-90 aria-disabled:not-aria-busy:opacity-50 aria-busy:opacity-75',
  default:
    'bg-surface text-ink ring-1 ring-inset ring-line2 not-aria-disabled:hover:bg-hover not-aria-disabled:active:bg-active aria-disabled:not-aria-busy:text-ink3 aria-disabled:not-aria-busy:ring-line',
  quiet:
    'text-ink2 not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink not-aria-disabled:active:bg-active aria-disabled:not-aria-busy:opacity-50',
  danger:
    'bg-danger-fill text-white not-aria-disabled:hover:brightness-92 not-aria-disabled:active:brightness-85 aria-disabled:not-aria-busy:opacity-50 aria-busy:opacity-75',
}

const sizes: Record<ButtonSize, string> = {
  control: 'h-8 px-3 text-13/5 max-sm:h-11 max-sm:px-4 max-sm:text-15/5',
  form: 'h-9 px-3.5 text-13/5 max-sm:h-12 max-sm:px-4 max-sm:text-15/5',
  'sign-in': 'h-10 px-4 text-14/5 max-sm:h-12 max-sm:text-16/6',
}

/** Returns the CSS classes of a button, for a link that looks like one. */
export function buttonClass(variant: ButtonVariant = 'default', size: ButtonSize = 'control'): string {
  return cx(baseClasses, variants[variant], sizes[size])
}

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** An icon before the text. While `pending`, the spinner replaces it. */
  icon?: ReactNode
  /** The keys that press the button (`<Kbd>`). They are shown at its end, except on touch screens. */
  keys?: ReactNode
  /** True while the button's action runs. The button then shows a spinner in place of its icon, keeps the focus, and ignores presses. */
  pending?: boolean
}

/** A button. `disabled` and `pending` set aria-disabled, so that the button is focusable and keeps the focus when it is pressed. */
export function Button(props: ButtonProps) {
  const { variant, size, icon, keys, pending = false, disabled = false, className, children, onClick, ...rest } = props
  const isEnabled = !pending && !disabled
  return (
    <button
      type="button"
      {...rest}
      className={cx(buttonClass(variant, size), className)}
      aria-disabled={!isEnabled || undefined}
      aria-busy={pending || undefined}
      onClick={(event) => {
        if (isEnabled) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {pending ? <Spinner /> : icon}
      {children}
      {keys && <span className="-mr-1 flex gap-1 key-hint">{keys}</span>}
    </button>
  )
}
