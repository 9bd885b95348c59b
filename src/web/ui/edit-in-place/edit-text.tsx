import { type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { cx } from '#web/lib/class-names.ts'
import { EditRow, type ErrorAction, editableValueClasses, type SaveResult } from './edit-row.tsx'
import { useInPlace } from './use-in-place.ts'

export interface EditTextProps {
  label: string
  /** An icon before the label, only on the phone. */
  icon?: ReactNode
  value: string | null
  onSave: (text: string) => SaveResult
  /** Returns the message that says what is wrong with a text. Null if it can be saved. */
  check?: (text: string) => string | null
  /** A button beside the error of `onSave`. A press discards the text and then calls `run`. */
  errorAction?: ErrorAction | null
  type?: 'text' | 'email' | 'tel' | 'url'
  inputMode?: 'text' | 'decimal' | 'email' | 'tel' | 'url'
  maxLength?: number
  /** The text that is shown if there is no value. By default, 'Add'. */
  placeholder?: string
  /** Renders the value while it is not being edited. */
  display?: (text: string) => ReactNode
  /** True if no label is shown, because the value is a title. */
  bare?: boolean
  /** The CSS classes of the text, both in the field and in the button, such as 'text-xl font-semibold'. */
  className?: string
}

/** A line of text that is edited in place. */
export function EditText(props: EditTextProps) {
  const { label, icon, value, onSave, check, placeholder = 'Add', display, bare = false, className } = props
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const displayed = value && display?.(value)
  const inPlace = useInPlace({
    label,
    button,
    field,
    value: value ?? '',
    display: typeof displayed === 'string' ? displayed : (value ?? ''),
    onSave,
    check,
  })
  const { errorAction } = props
  const refusalActions = inPlace.isRefused &&
    errorAction && [
      {
        label: errorAction.label,
        run: () => {
          // Rendered at once: `run` may remove the field, and a field that is removed saves the text that is still in it.
          flushSync(inPlace.cancel)
          errorAction.run()
        },
      },
    ]
  const actions = refusalActions || inPlace.actions
  return (
    <EditRow {...{ label, icon, bare, actions }} error={inPlace.error} errorId={inPlace.errorId}>
      {inPlace.editing ? (
        <div className="field-frame -mx-2 h-8 w-[calc(100%+1rem)] max-sm:h-11">
          <input
            ref={field}
            {...inPlace.fieldProps}
            type={props.type ?? 'text'}
            inputMode={props.inputMode}
            maxLength={props.maxLength}
            aria-label={label}
            autoComplete="off"
            enterKeyHint="done"
            className={cx(
              'h-full w-full min-w-0 rounded-control bg-transparent px-2 text-sm max-sm:text-base',
              className,
            )}
          />
        </div>
      ) : (
        <button
          ref={button}
          type="button"
          data-in-place=""
          aria-label={`${label}: ${inPlace.shown || 'none'}. Edit`}
          title={inPlace.shown || undefined}
          onClick={inPlace.start}
          className={cx(editableValueClasses, className)}
        >
          <span
            className={cx(
              bare ? 'py-0.5 wrap-anywhere' : 'max-sm:line-clamp-3 max-sm:wrap-anywhere sm:truncate',
              !inPlace.shown && 'text-ink3',
            )}
          >
            {inPlace.shown ? (display?.(inPlace.shown) ?? inPlace.shown) : placeholder}
          </span>
        </button>
      )}
    </EditRow>
  )
}
