import { cx } from '#web/lib/class-names.ts'
import { hueStyle } from '#web/lib/initials.ts'

const sizes = {
  20: 'size-5 rounded-[5px] text-11',
  28: 'size-7 rounded-badge text-13',
  32: 'size-8 rounded-control text-14',
  40: 'size-10 rounded-[10px] text-18',
  44: 'size-11 rounded-[10px] text-18',
}

/** The first letter of a name on the hue of the name (`hueStyle`). Decorative: the name is shown beside the tile. */
export function LetterTile({ name, size = 20 }: { name: string; size?: keyof typeof sizes | undefined }) {
  const letter = name.match(/[\p{L}\p{N}]/u)?.[0]?.toUpperCase() ?? '?'
  return (
    <span
      aria-hidden="true"
      style={hueStyle(name)}
      className={cx('hue inline-grid shrink-0 place-items-center font-semibold leading-none select-none', sizes[size])}
    >
      {letter}
    </span>
  )
}
