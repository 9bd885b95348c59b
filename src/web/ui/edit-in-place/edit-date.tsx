import { useRef } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { dateProblem, lastDay, lastMoment } from '#web/lib/date-problem.ts'
import { formatDay, formatDue, isoToLocal, localToIso } from '#web/lib/dates.ts'
import { CalendarIcon } from '#web/ui/icons.tsx'
import { EditRow, restingValue, type SaveResult } from './edit-row.tsx'
import { useInPlace } from './use-in-place.ts'

export interface EditDateProps {
  label: string
  value: string | null
  onSave: (value: string | null) => SaveResult
  /** The value as text while it is not edited. */
  display?: (value: string) => string
}

/** A day (`YYYY-MM-DD`) edited in place; null when it is emptied. */
export function EditDate({ label, value, onSave, display = (day) => formatDay(day) }: EditDateProps) {
  const save = (text: string) => onSave(text || null)
  return <DateField label={label} type="date" value={value ?? ''} onSave={save} display={display} />
}

/** A moment (ISO) edited in place in local time; null when it is emptied. */
export function EditDateTime({ label, value, onSave, display = (moment) => formatDue(moment) }: EditDateProps) {
  return (
    <DateField
      label={label}
      type="datetime-local"
      value={isoToLocal(value)}
      onSave={(text) => onSave(localToIso(text))}
      display={(text) => display(localToIso(text) ?? '')}
    />
  )
}

interface DateFieldProps {
  label: string
  type: 'date' | 'datetime-local'
  value: string
  onSave: (text: string) => SaveResult
  display: (text: string) => string
}

function DateField({ label, type, value, onSave, display }: DateFieldProps) {
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const place = useInPlace({
    button,
    field,
    value,
    onSave,
    check: () => field.current && dateProblem(field.current),
  })
  const words = place.shown ? display(place.shown) : 'Add'
  return (
    <EditRow label={label} icon={<CalendarIcon />} error={place.error} errorId={place.errorId}>
      {place.editing ? (
        <div className="field-frame -mx-2 h-8 w-[calc(100%+1rem)] max-sm:h-11">
          <input
            ref={field}
            {...place.fieldProps}
            type={type}
            max={type === 'date' ? lastDay : lastMoment}
            aria-label={label}
            className="h-full w-full min-w-0 rounded-control bg-transparent px-2 text-sm max-sm:text-base"
          />
        </div>
      ) : (
        <button
          ref={button}
          type="button"
          data-in-place=""
          aria-label={`${label}: ${place.shown ? words : 'none'}. Edit`}
          onClick={place.start}
          className={cx(restingValue, 'num', !place.shown && 'text-ink3')}
        >
          {words}
        </button>
      )}
    </EditRow>
  )
}
