import type { Ref } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { AlertIcon } from './icons.tsx'

const digitIndexes = [0, 1, 2, 3, 4, 5]

export interface CodeInputProps {
  value: string
  onChange: (value: string) => void
  /** Called when all six digits are in the boxes: typed, pasted or suggested. */
  onComplete: (code: string) => void
  /** The accessible name of the field. */
  label: string
  error?: string | null
  ref?: Ref<HTMLInputElement>
  autoFocus?: boolean
}

/**
 * A field for a code of six digits, which are shown in six boxes. One input covers all boxes. So a code can be pasted or suggested by the
 * phone's keyboard (`one-time-code`), and screen readers see one field.
 */
export function CodeInput({ value, onChange, onComplete, label, error, ref, autoFocus }: CodeInputProps) {
  const onTyped = (typed: string) => {
    const digits = typed.replaceAll(/\D/g, '').slice(0, digitIndexes.length)
    onChange(digits)
    if (digits.length === digitIndexes.length && digits !== value) onComplete(digits)
  }
  return (
    <div>
      <div className="group relative">
        <div aria-hidden="true" className="grid grid-cols-6 gap-2.5 max-sm:gap-2">
          {digitIndexes.map((place) => (
            <span
              key={place}
              className={cx(
                'num grid h-13 place-items-center rounded-[10px] bg-surface text-2xl ring-1 ring-inset max-sm:h-14',
                error ? 'ring-danger' : 'ring-ctl',
                place === Math.min(value.length, digitIndexes.length - 1) &&
                  'group-focus-within:shadow-[0_0_0_3px_color-mix(in_oklab,var(--focus)_24%,transparent)] group-focus-within:ring-2 group-focus-within:ring-accent',
              )}
            >
              {value[place] ??
                (place === value.length && (
                  <span className="h-6 w-px animate-pulse bg-ink opacity-0 group-focus-within:opacity-100" />
                ))}
            </span>
          ))}
        </div>
        <input
          ref={ref}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'code-error' : undefined}
          autoComplete="one-time-code"
          inputMode="numeric"
          enterKeyHint="go"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step has only this field, and its title says so
          autoFocus={autoFocus}
          value={value}
          onChange={(event) => onTyped(event.target.value)}
          className="absolute inset-0 w-full cursor-text bg-transparent opacity-0"
        />
      </div>
      {error && (
        <p id="code-error" role="alert" className="mt-2 flex items-start gap-1.5 text-xs text-danger max-sm:text-sm">
          <span className="flex h-[1lh] items-center">
            <AlertIcon className="size-3.5" />
          </span>
          {error}
        </p>
      )}
    </div>
  )
}
