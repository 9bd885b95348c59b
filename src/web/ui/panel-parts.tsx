import type { ReactNode } from 'react'
import { Skeleton, useSkeleton } from './skeleton.tsx'

/** The title of a panel. An avatar or a checkbox can be before it, and a muted line below it. */
export function PanelTitle({
  leading,
  below,
  children,
}: {
  leading?: ReactNode
  below?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex items-center gap-3.5">
      {leading}
      <div className="min-w-0 flex-1">
        <h2 className="text-xl">{children}</h2>
        {below && <div className="min-h-lh text-ink2 wrap-anywhere sm:truncate">{below}</div>}
      </div>
    </div>
  )
}

/** The fields of a panel: labels and values in two columns. On the phone they are in a card, with each label above its value. */
export function PanelFields({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 max-sm:gap-0 max-sm:divide-y max-sm:divide-line max-sm:rounded-card max-sm:bg-surface max-sm:shadow-card">
      {children}
    </div>
  )
}

/** A section of a panel with a heading. `aside`, such as a sum or a button, is at the right of the heading. */
export function PanelSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h3 className="text-sm">{title}</h3>
        {aside && <div className="num text-ink2">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** The rows of a panel's section, in one card. */
export function PanelCard({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card [&>*]:outline-offset-[-2px]">
      {children}
    </div>
  )
}

/** The rows of a panel's section, with hairlines between them. On the phone they are in one card. */
export function PanelRows({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col divide-y divide-line max-sm:overflow-hidden max-sm:rounded-card max-sm:bg-surface max-sm:shadow-card [&>*]:outline-offset-[-2px]">
      {children}
    </div>
  )
}

/** The skeleton that a panel shows while its content is loading. */
export function PanelSkeleton() {
  const phase = useSkeleton(false)
  if (phase === 'wait') return null
  return (
    <div aria-busy="true" className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="h-4 w-1/4" />
      </div>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="flex gap-8">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </div>
  )
}
