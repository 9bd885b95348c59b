import { cx } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { PersonIcon } from '#web/ui/icons.tsx'

/** The button that shows only records of the signed-in person. */
export function MineToggle({
  pressed,
  onChange,
  className,
}: {
  pressed: boolean
  onChange: (pressed: boolean) => void
  className?: string
}) {
  return (
    <Button
      icon={<PersonIcon />}
      aria-pressed={pressed}
      onClick={() => onChange(!pressed)}
      className={cx('aria-pressed:bg-accent-soft aria-pressed:text-accent-text aria-pressed:ring-accent', className)}
    >
      Mine
    </Button>
  )
}
