import { createContext, type ReactNode, useContext, useId } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { AlertIcon } from './icons.tsx'

interface FieldControl {
  id?: string
  labelId?: string
  'aria-invalid'?: true
  'aria-describedby'?: string
}

const FieldControlContext = createContext<FieldControl>({})

/**
 * For a control inside a Field. Returns the id and the ARIA attributes with which the Field names and describes the control. Returns an
 * empty object outside a Field.
 */
export function useFieldControl(): FieldControl {
  return useContext(FieldControlContext)
}

export interface FieldProps {
  label: ReactNode
  /** The error below the field. It also marks the field as invalid. */
  error?: string | null
  hint?: ReactNode
  /** Shown at the right of the label: a link, or whether the field is required. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * The word 'Required' or 'Optional' at the right of a label. It is not part of the field's accessible name, because the control has
 * `aria-required`.
 */
export function FieldNeed({ required = true }: { required?: boolean }) {
  return <span className="text-xs text-ink3">{required ? 'Required' : 'Optional'}</span>
}

/** A label above one control (Input, PasswordInput, Textarea, Select, Choices, Combobox, DateInput), and an error or a hint below. */
export function Field({ label, error, hint, aside, className, children }: FieldProps) {
  const id = useId()
  const control: FieldControl = {
    id,
    labelId: `${id}-label`,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : hint ? `${id}-hint` : undefined,
  }
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label id={control.labelId} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <FieldControlContext value={control}>{children}</FieldControlContext>
      {error ? (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-xs text-danger max-sm:text-sm">
          <span className="flex h-[1lh] items-center">
            <AlertIcon className="size-3.5" />
          </span>
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="text-xs text-pretty text-ink3">
            {hint}
          </p>
        )
      )}
    </div>
  )
}
