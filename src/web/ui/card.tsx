import type { ComponentPropsWithRef } from 'react'
import { cx } from '#web/lib/class-names.ts'

/** A flat surface with a shadow. It has no padding: the caller sets it with `className`. */
export function Card({ className, ...rest }: ComponentPropsWithRef<'section'>) {
  return <section {...rest} className={cx('rounded-card bg-surface shadow-card', className)} />
}
