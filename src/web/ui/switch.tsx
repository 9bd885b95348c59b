import { cx } from '#web/lib/class-names.ts'

interface SwitchProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** True while the server has not responded. The switch then ignores presses. */
  pending?: boolean
  disabled?: boolean
}

/** A switch that takes effect at once. */
export function Switch({ label, checked, onChange, pending = false, disabled = false }: SwitchProps) {
  const isEnabled = !pending && !disabled
  return (
    <button
      type="button"
      role="switch"
      aria-label={label}
      aria-checked={checked}
      aria-busy={pending || undefined}
      aria-disabled={!isEnabled || undefined}
      onClick={() => isEnabled && onChange(!checked)}
      className="group inline-flex h-8 shrink-0 items-center max-sm:h-11 max-sm:min-w-11"
    >
      <span
        className={cx(
          'flex h-5 w-9 items-center rounded-full p-0.5 transition-[background-color] duration-[120ms] group-aria-disabled:opacity-60',
          checked ? 'bg-accent' : 'bg-ctl',
        )}
      >
        <span
          className={cx(
            'size-4 rounded-full transition-transform duration-[120ms] motion-reduce:transition-none',
            checked ? 'translate-x-4 bg-on-accent' : 'bg-surface',
          )}
        />
      </span>
    </button>
  )
}
