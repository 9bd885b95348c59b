import { cx } from '#web/lib/class-names.ts'
import { tagClass } from '#web/lib/tag-colors.ts'

/** A dot in a tag's colour, next to its name. */
export function TagDot({ color, large = false }: { color: string; large?: boolean }) {
  const size = large ? 'size-3' : 'size-2'
  return <span aria-hidden="true" className={cx('shrink-0 rounded-full bg-tone-dot', size, tagClass(color))} />
}

/** A tag's name on its colour. */
export function TagChip({ name, color, small = false }: { name: string; color: string; small?: boolean }) {
  return (
    <span
      title={name}
      className={cx(
        tagClass(color),
        'inline-flex min-w-0 items-center rounded-badge bg-tone-soft px-1.5 font-medium text-tone',
        small ? 'h-4.5 max-w-24 text-11' : 'h-5 max-w-40 text-xs max-sm:h-6 max-sm:text-13',
      )}
    >
      <span className="truncate">{name}</span>
    </span>
  )
}
