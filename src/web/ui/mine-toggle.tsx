import { cx } from '#web/lib/class-names.ts'
import { Button } from './button.tsx'
import { PersonIcon } from './icons.tsx'

/** Shows only what is one's own. `compact`: the icon alone, with its name for readers. */
export function MineToggle({
  pressed,
  onChange,
  compact = false,
}: {
  pressed: boolean
  onChange: (pressed: boolean) => void
  compact?: boolean
}) {
  return (
    <Button
      icon={<PersonIcon />}
      aria-pressed={pressed}
      title={compact ? 'Mine' : undefined}
      onClick={() => onChange(!pressed)}
      className={cx(
        'aria-pressed:bg-accent-soft aria-pressed:text-accent-text aria-pressed:ring-accent',
        compact && 'w-8 px-0 max-sm:w-11 max-sm:px-0',
      )}
    >
      <span className={compact ? 'sr-only' : ''}>Mine</span>
    </Button>
  )
}
