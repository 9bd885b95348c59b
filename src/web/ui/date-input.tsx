import { type ComponentPropsWithRef, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { addDays, dayOf, hasAllowedYear } from '#web/lib/calendar.ts'
import { cx } from '#web/lib/class-names.ts'
import { type DateAndTime, describeDate, readTypedDate, typedText } from '#web/lib/typed-date.ts'
import { Calendar } from './calendar.tsx'
import { useFieldControl } from './field.tsx'
import { CalendarIcon } from './icons.tsx'
import { announce } from './live-region.ts'

type InputProps = Pick<
  ComponentPropsWithRef<'input'>,
  'aria-label' | 'aria-invalid' | 'aria-describedby' | 'enterKeyHint'
>

export interface DateInputProps extends InputProps {
  /** The text that the field shows, as the person typed it. */
  text: string
  onText: (text: string) => void
  /** Called when the person chooses a day in the calendar or empties the field there. By default, `onText` is called. */
  onTake?: (text: string) => void
  /** True if the field also accepts a time. */
  withTime?: boolean
  /** True if the field refuses a year of two digits. Otherwise it is a year from 2000. */
  fullYear?: boolean
  /** Called when the focus has left the field and its calendar. `text` is the recognised date in full, or else the typed text. */
  onLeave?: (text: string) => void
  fieldRef?: (input: HTMLInputElement | null) => void
  /** True if the recognised date is shown on a floating card, because there is no room for it below the field. */
  afloat?: boolean
  /** The CSS classes of the frame and of the input. */
  className?: string
  inputClass?: string
}

/** Time after the last typed letter before the recognised date is announced (ms). */
const announceDelayMs = 600

/**
 * A text field for a date, optionally with a time: 'fri', '+2w', '30.11.', 'tomorrow 3pm'. While the person types, the recognised date is
 * shown below in grey. Arrow up and down change the day; the button, or Alt with arrow down, opens a calendar. When the person has chosen
 * a day there, or has closed the calendar with Escape or Back, the text field gets the focus.
 */
export function DateInput(props: DateInputProps) {
  const { text, onText, onTake = onText, withTime = false, fullYear = false, onLeave, fieldRef, afloat = false } = props
  const { className, inputClass, ...inputProps } = props
  const { labelId: _, ...control } = useFieldControl()
  const hintId = useId()
  const frame = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isActive, setActive] = useState(false)
  const typedDate = readTypedDate(text, { withTime, fullYear })
  const value = typedDate && 'day' in typedDate ? typedDate : null
  const isInvalid = inputProps['aria-invalid'] ?? control['aria-invalid']
  const hint = isActive && value ? describeDate(value) : null
  useEffect(() => {
    if (hint === null) return
    const timer = setTimeout(announce, announceDelayMs, hint)
    return () => clearTimeout(timer)
  }, [hint])

  const setDate = (to: DateAndTime) => onText(typedText(to))
  const close = () => {
    setOpen(false)
    // Also after a press beside the calendar: removing the focused element causes no blur event, but the press then takes the focus from the input.
    input.current?.focus({ preventScroll: true })
  }
  const takeFromCalendar = (to: string) => {
    close()
    onTake(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    if ((key !== 'ArrowDown' && key !== 'ArrowUp') || ctrlKey || metaKey || shiftKey) return
    event.preventDefault()
    if (altKey) return setOpen(key === 'ArrowDown')
    if (typedDate && !value) return
    const day = value ? addDays(value.day, key === 'ArrowUp' ? 1 : -1) : dayOf(new Date())
    if (hasAllowedYear(day)) setDate({ day, time: value?.time ?? null })
  }
  const describedBy = [inputProps['aria-describedby'] ?? control['aria-describedby'], hint !== null && hintId]
  return (
    <div
      ref={frame}
      className={cx('field-frame relative', className)}
      data-open={isOpen}
      onFocus={() => setActive(true)}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        setActive(false)
        onLeave?.(value ? typedText(value) : text)
      }}
    >
      <input
        ref={(element) => {
          input.current = element
          fieldRef?.(element)
        }}
        {...control}
        aria-label={inputProps['aria-label']}
        aria-invalid={isInvalid}
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        type="text"
        inputMode="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint={inputProps.enterKeyHint}
        placeholder={withTime ? 'fri 9:30, 30 Nov, +3d' : 'fri, 30 Nov, +2w'}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className={cx('h-full w-full min-w-0 flex-1 rounded-control bg-transparent', inputClass)}
      />
      <button
        ref={opener}
        type="button"
        aria-label={value ? `Choose a date, now ${describeDate(value)}` : 'Choose a date'}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="mr-1 grid size-7 shrink-0 place-items-center rounded-badge text-ink3 hover:bg-hover hover:text-ink aria-expanded:bg-active aria-expanded:text-ink max-sm:size-11"
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          // Ctrl or Cmd with Enter submits the form around the field, and does not press the button.
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.preventDefault()
          else event.stopPropagation()
        }}
      >
        <CalendarIcon />
      </button>
      {hint !== null && !isInvalid && !isOpen && (
        <p
          id={hintId}
          className={cx(
            'num pointer-events-none absolute top-full left-0 z-10 truncate text-xs/4 text-ink3',
            afloat ? 'mt-1 rounded-control bg-raised px-2 py-1 shadow-pop' : 'mt-0.5',
          )}
        >
          {hint}
        </p>
      )}
      {isOpen && (
        <Calendar
          frame={frame}
          opener={opener}
          chosen={value?.day ?? null}
          onTake={(day) => takeFromCalendar(typedText({ day, time: value?.time ?? null }))}
          time={withTime ? (value?.time ?? null) : undefined}
          onTime={(time) => setDate({ day: value?.day ?? dayOf(new Date()), time })}
          isFilled={text !== ''}
          onClear={() => takeFromCalendar('')}
          onClose={close}
        />
      )}
    </div>
  )
}
