import { cx } from '#web/lib/class-names.ts'
import { initials, hueStyle } from '#web/lib/initials.ts'

/** The size of an avatar in px. `title` is 48 px, on the phone 60 px. */
export type AvatarSize = 16 | 20 | 24 | 28 | 32 | 48 | 'title'

const sizes: Record<AvatarSize, string> = {
  16: 'size-4 text-7',
  20: 'size-5 text-9',
  24: 'size-6 text-10',
  28: 'size-7 text-11',
  32: 'size-8 text-12',
  48: 'size-12 text-16',
  title: 'size-12 text-16 max-sm:size-15 max-sm:text-20',
}

/** A person's initials on the hue of the name (`hueStyle`), or a grey '?'. Decorative: place the avatar beside the name, or set `label`. */
export function Avatar({
  name,
  size = 24,
  label,
}: {
  name: string | null | undefined
  size?: AvatarSize
  label?: string
}) {
  const hasName = Boolean(name?.trim())
  return (
    <span
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      style={hasName ? hueStyle(name ?? '') : undefined}
      className={cx(
        'inline-grid shrink-0 place-items-center rounded-full font-semibold leading-none select-none',
        sizes[size],
        hasName ? 'hue' : 'bg-active text-ink2',
      )}
    >
      {initials(name)}
    </span>
  )
}
