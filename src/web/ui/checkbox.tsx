import type { ComponentPropsWithRef } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { CheckIcon } from './icons.tsx'

interface CheckProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'size'> {
  /** The accessible name of the checkbox. Not needed inside a <label>. */
  label?: string
  /** True for the mixed state: the checkbox stands for several items, and some of them are ticked. */
  mixed?: boolean
}

/** A square checkbox of 16 px, for selections. Its touch target on the phone is 44 px. */
export function Checkbox(props: CheckProps) {
  return <Check {...props} shape="rounded-[4px] size-4" />
}

/** A round checkbox: ticked means done. */
export function RoundCheckbox(props: CheckProps) {
  return <Check {...props} shape="rounded-full size-4.5 max-sm:size-6" />
}

function Check({ label, mixed = false, shape, className, ...rest }: CheckProps & { shape: string }) {
  return (
    <span className={cx('relative inline-grid shrink-0 place-items-center', className)}>
      <input
        type="checkbox"
        aria-label={label}
        ref={(input) => {
          if (input) input.indeterminate = mixed
        }}
        {...rest}
        className={cx(
          'peer appearance-none bg-surface ring-[1.5px] ring-inset ring-ctl transition-[background-color] duration-[80ms] checked:bg-accent checked:ring-accent indeterminate:bg-accent indeterminate:ring-accent hover:ring-ink3 disabled:opacity-50 before:absolute before:-inset-1.5 before:content-[""] max-sm:before:-inset-3.5',
          shape,
        )}
      />
      <CheckIcon
        strokeWidth={2.5}
        className="pointer-events-none absolute size-3 text-on-accent opacity-0 peer-checked:opacity-100"
      />
      {mixed && <span className="pointer-events-none absolute h-[1.5px] w-2 rounded-full bg-on-accent" />}
    </span>
  )
}
