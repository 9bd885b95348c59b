import { useRef } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { formatDay, formatDue } from '#web/lib/dates.ts'
import { typedDay, typedMoment, typedProblem, typedTextOf } from '#web/lib/typed-date.ts'
import { DateInput } from '#web/ui/date-input.tsx'
import { CalendarIcon } from '#web/ui/icons.tsx'
import { EditRow, editableValueClasses, type SaveResult } from './edit-row.tsx'
import { useInPlace } from './use-in-place.ts'

export interface EditDateProps {
  label: string
  value: string | null
  onSave: (value: string | null) => SaveResult
  /** Returns the text that shows the value while it is not being edited. */
  display?: (value: string) => string
  /** Returns the message that says what is wrong with a typed text. Null if the text can be saved. The default check accepts an empty text. */
  check?: (text: string) => string | null
  /** True if a year of two digits is refused. Otherwise it is a year from 2000. */
  fullYear?: boolean
}

/** A day (`YYYY-MM-DD`, or null) that is edited in place. If a day is chosen in the calendar, it is saved at once. */
export function EditDate({ display = (day) => formatDay(day), ...props }: EditDateProps) {
  return <EditTyped {...props} display={display} toValue={typedDay} />
}

/** A date and time (ISO, or null) that is edited in place, in local time. If no time is typed, the value is the end of the day. */
export function EditDateTime({ display = (moment) => formatDue(moment), ...props }: EditDateProps) {
  return <EditTyped {...props} display={display} toValue={typedMoment} withTime />
}

interface EditTypedProps extends EditDateProps {
  display: (value: string) => string
  toValue: (text: string) => string | null
  withTime?: boolean
}

function EditTyped(props: EditTypedProps) {
  const { label, value, onSave, display, check, toValue, withTime = false, fullYear = false } = props
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const inPlace = useInPlace({
    label,
    button,
    field,
    value: typedTextOf(value),
    display: value ? display(value) : '',
    onSave: (text) => onSave(toValue(text)),
    check: check ?? ((text) => typedProblem(text, withTime, fullYear)),
  })
  const shownValue = toValue(inPlace.shown)
  const shownText = shownValue ? display(shownValue) : 'Add'
  const { value: text, onChange, onKeyDown, onBlur, ...described } = inPlace.fieldProps
  const typeText = (to: string) => onChange({ target: { value: to } })
  return (
    <EditRow
      label={label}
      icon={inPlace.editing ? null : <CalendarIcon />}
      error={inPlace.error}
      errorId={inPlace.errorId}
      actions={inPlace.actions}
    >
      {inPlace.editing ? (
        <div onKeyDown={onKeyDown}>
          <DateInput
            {...described}
            fieldRef={(element) => {
              field.current = element
            }}
            text={text}
            onText={typeText}
            onTake={withTime ? typeText : inPlace.take}
            onLeave={() => onBlur()}
            withTime={withTime}
            fullYear={fullYear}
            afloat
            aria-label={label}
            enterKeyHint="done"
            className="-mx-2 h-8 w-[calc(100%+1rem)] max-sm:h-11"
            inputClass="px-2 text-sm max-sm:text-base"
          />
        </div>
      ) : (
        <button
          ref={button}
          type="button"
          data-in-place=""
          aria-label={`${label}: ${inPlace.shown ? shownText : 'none'}. Edit`}
          onClick={inPlace.start}
          className={cx(editableValueClasses, 'num', !inPlace.shown && 'text-ink3')}
        >
          {shownText}
        </button>
      )}
    </EditRow>
  )
}
