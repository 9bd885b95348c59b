import type { ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { stageTone, type Tone, toneClass } from './stage-tone.ts'

const shape =
  'inline-flex h-5 max-w-full shrink-0 items-center gap-1.5 rounded-badge px-2 text-xs font-medium max-sm:h-6 max-sm:text-[13px]'

/** A word on a soft fill. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={cx(shape, toneClass(tone), 'bg-tone-soft text-tone')}>{children}</span>
}

/** A stage's name in its colours. */
export function StageBadge({ name }: { name: string }) {
  return (
    <Badge tone={stageTone(name)}>
      <span className="truncate">{name}</span>
    </Badge>
  )
}

/** A stage's dot of 8 px; its name stands beside it. */
export function StageDot({ name }: { name: string }) {
  return (
    <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full bg-tone-dot', toneClass(stageTone(name)))} />
  )
}

/** Low (outlined), Normal, High (amber), Urgent (red). */
export function PriorityBadge({ priority }: { priority: 'low' | 'normal' | 'high' | 'urgent' }) {
  if (priority === 'urgent') return <Badge tone="lost">Urgent</Badge>
  if (priority === 'high') return <Badge tone="verbal">High</Badge>
  if (priority === 'normal') return <Badge>Normal</Badge>
  return <span className={cx(shape, 'text-ink2 ring-1 ring-inset ring-line2')}>Low</span>
}

/** A related record: its avatar or icon and its name, outlined. */
export function RelationBadge({ leading, children }: { leading?: ReactNode; children: ReactNode }) {
  return (
    <span className={cx(shape, 'min-w-0 shrink pl-1.5 text-ink2 ring-1 ring-inset ring-line2')}>
      {leading}
      <span className="truncate">{children}</span>
    </span>
  )
}

/** A number beside a heading. */
export function CountBadge({ count, tone = 'neutral' }: { count: number | string; tone?: 'neutral' | 'danger' }) {
  return (
    <span
      className={cx(
        'num inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-badge px-1.5 text-xs font-medium',
        tone === 'danger' ? 'bg-danger-soft text-danger' : 'bg-active text-ink2',
      )}
    >
      {count}
    </span>
  )
}
