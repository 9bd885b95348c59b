import type { ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'

/** Shows a part of the design system in its states, with a title. */
export function StateRow({ title, children, className }: { title: string; children: ReactNode; className?: string }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-3 text-xs font-normal text-ink3">{title}</h2>
      <div className={cx('flex flex-wrap items-center gap-3', className)}>{children}</div>
    </section>
  )
}

/** Classes that draw the outline of keyboard focus on an element that does not have the focus. */
export const focusRingClasses = 'outline-2 outline-offset-2 outline-focus outline-solid'
