import type { ComponentPropsWithRef } from 'react'
import { cx } from '#web/lib/class-names.ts'

/** A flat panel with the card's shadow; padding is the content's. */
export function Card({ className, ...rest }: ComponentPropsWithRef<'section'>) {
  return <section {...rest} className={cx('rounded-card bg-surface shadow-card', className)} />
}
