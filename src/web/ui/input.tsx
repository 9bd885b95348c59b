import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { useFieldControl } from './field.tsx'

/** The height of a field. On a desktop it is 32, 36 or 40 px, on the phone 44 or 48 px. */
export type FieldSize = 'control' | 'form' | 'sign-in'

export const fieldHeightClasses: Record<FieldSize, string> = {
  control: 'h-8 max-sm:h-11',
  form: 'h-9 max-sm:h-12',
  'sign-in': 'h-10 max-sm:h-12',
}

export interface InputProps extends Omit<ComponentPropsWithRef<'input'>, 'size'> {
  size?: FieldSize
  /** Shown before the text: '£' or an icon. */
  leading?: ReactNode
  trailing?: ReactNode
}

/** A field for one line of text. A Field around it provides the label and the error. Without a Field, set an aria-label. */
export function Input({ size = 'form', leading, trailing, className, ...rest }: InputProps) {
  const { labelId: _, ...control } = useFieldControl()
  return (
    <div className={cx('field-frame', fieldHeightClasses[size], className)}>
      {leading && <span className="flex shrink-0 items-center pl-3 text-base text-ink3">{leading}</span>}
      <input
        {...control}
        {...rest}
        className={cx(
          'h-full w-full min-w-0 flex-1 rounded-control truncate bg-transparent text-base',
          leading ? 'pl-2' : 'pl-3',
          trailing ? 'pr-2' : 'pr-3',
        )}
      />
      {trailing && <span className="flex shrink-0 items-center pr-1.5 text-ink3">{trailing}</span>}
    </div>
  )
}
