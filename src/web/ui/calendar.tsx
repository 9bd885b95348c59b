import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import {
  addDays,
  addMonths,
  dayOf,
  firstWeekdayOf,
  hasAllowedYear,
  monthNames,
  numbersOf,
  personLocale,
  weekdayNames,
  weekdayOf,
  weeksOf,
} from '#web/lib/calendar.ts'
import { cx } from '#web/lib/class-names.ts'
import { addBackLayer } from './back-layers.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { keepTabInside } from './use-modal.ts'
import { useCloseFromOutside, usePopup } from './use-popup.ts'

interface CalendarProps {
  /** The frame of the date field that opened the calendar. (`opener` is its button.) */
  frame: RefObject<HTMLElement | null>
  opener: RefObject<HTMLElement | null>
  /** The day that the field contains (`YYYY-MM-DD`), or null. */
  chosen: string | null
  onTake: (day: string) => void
  /** The time that the field contains (`HH:mm`), or null. Undefined if the field accepts no time. */
  time: string | null | undefined
  onTime: (time: string | null) => void
  /** Whether the field contains any text. */
  isFilled: boolean
  onClear: () => void
  /** Called when the calendar should close. `isDone` is true if the person pressed Escape or Back: the field must then get the focus. */
  onClose: (isDone: boolean) => void
}

/**
 * A calendar month to choose a day from: the date picker dialog of the ARIA Authoring Practices. Arrow keys move by days and weeks, Home
 * and End to the ends of the week, PageUp and PageDown by months, with Shift by years. Enter or Space chooses. Escape and Back close. Tab
 * stays inside. On the phone it is a sheet.
 */
export function Calendar({ frame, opener, chosen, onTake, time, onTime, isFilled, onClear, onClose }: CalendarProps) {
  const id = useId()
  const popup = useRef<HTMLDivElement>(null)
  const [today] = useState(() => dayOf(new Date()))
  const [{ day, hasFocus }, setAt] = useState({ day: chosen ?? today, hasFocus: true })
  const firstWeekday = firstWeekdayOf(personLocale())
  const weeks = weeksOf(day, firstWeekday)
  usePopup(true, frame, popup, { align: 'end' })
  useCloseFromOutside(true, [opener, popup], () => onClose(false))
  useBackCloses(true, () => onClose(true), addBackLayer)
  useLayoutEffect(() => {
    if (hasFocus) popup.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus({ preventScroll: true })
  }, [day, hasFocus])

  const showDay = (to: string, byKey: boolean) => hasAllowedYear(to) && setAt({ day: to, hasFocus: byKey })
  const onGridKey = (event: KeyboardEvent) => {
    const to = event.altKey || event.ctrlKey || event.metaKey ? null : dayForKey(event, day, firstWeekday)
    if (to === null) return
    event.preventDefault()
    showDay(to, true)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose(true)
    } else keepTabInside(event)
  }
  const [year, month] = numbersOf(day)
  const monthButton = (months: number, label: string) => (
    <IconButton
      label={label}
      tooltip={false}
      size={28}
      icon={months < 0 ? <ChevronLeftIcon /> : <ChevronRightIcon />}
      onClick={() => showDay(addMonths(day, months), false)}
    />
  )
  return (
    <div
      ref={popup}
      popover="manual"
      role="dialog"
      aria-label="Choose a date"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="rise overflow-y-auto rounded-card bg-raised p-3 text-sm text-ink shadow-pop outline-none max-sm:top-auto! max-sm:bottom-0 max-sm:left-0! max-sm:max-h-none! max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none max-sm:rounded-t-sheet max-sm:p-4 max-sm:pb-[max(16px,env(safe-area-inset-bottom))] max-sm:text-base max-sm:shadow-dialog"
    >
      <div className="mb-1 flex items-center gap-0.5">
        <p id={id} aria-live="polite" className="flex-1 pl-2 font-semibold">
          {monthNames[month - 1]} {year}
        </p>
        {monthButton(-1, 'Previous month')}
        {monthButton(1, 'Next month')}
      </div>
      <table role="grid" aria-labelledby={id} onKeyDown={onGridKey} className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            {weeks[0]?.map((headDay) => {
              const name = weekdayNames[weekdayOf(headDay)] ?? ''
              return (
                <th key={headDay} scope="col" abbr={name} className="h-8 text-center text-xs font-normal text-ink3">
                  {name.slice(0, 2)}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((gridDay) => (
                <td key={gridDay} role="gridcell" aria-selected={gridDay === chosen} className="p-0">
                  <DayButton
                    day={gridDay}
                    chosen={gridDay === chosen}
                    today={gridDay === today}
                    outside={numbersOf(gridDay)[1] !== month}
                    tabStop={gridDay === day}
                    onClick={() => hasAllowedYear(gridDay) && onTake(gridDay)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-2 flex items-center gap-2 border-t border-line pt-2.5 pb-0.5">
        {time !== undefined && (
          <input
            type="time"
            aria-label="Time"
            value={time ?? ''}
            onChange={(event) => onTime(event.target.value || null)}
            className="h-8 min-w-0 flex-1 rounded-control bg-surface px-2 ring-1 ring-line2 ring-inset max-sm:h-11"
          />
        )}
        <span className={time === undefined ? 'flex flex-1' : 'flex'}>
          <Button onClick={() => onTake(today)}>Today</Button>
        </span>
        {isFilled && <Button onClick={onClear}>Clear</Button>}
      </div>
    </div>
  )
}

interface DayButtonProps {
  day: string
  chosen: boolean
  today: boolean
  /** True if the day belongs to the month before or after the shown one. */
  outside: boolean
  tabStop: boolean
  onClick: () => void
}

function DayButton({ day, chosen, today, outside, tabStop, onClick }: DayButtonProps) {
  const [year, month, date] = numbersOf(day)
  return (
    <button
      type="button"
      data-day={day}
      tabIndex={tabStop ? 0 : -1}
      aria-label={`${weekdayNames[weekdayOf(day)]} ${date} ${monthNames[month - 1]} ${year}`}
      aria-current={today ? 'date' : undefined}
      onClick={onClick}
      className={cx(
        'num relative mx-auto grid size-8 place-items-center rounded-control max-sm:size-11',
        chosen && 'bg-accent font-semibold text-on-accent',
        !chosen && (today ? 'font-semibold text-accent-text' : outside ? 'text-ink3' : 'text-ink'),
        !chosen && 'hover:bg-hover',
      )}
    >
      {date}
      {today && (
        <span className={cx('absolute bottom-1 h-0.5 w-3 rounded-full', chosen ? 'bg-on-accent' : 'bg-accent')} />
      )}
    </button>
  )
}

/** Returns the day to which a key moves the focus. Null for a key that does not move the focus. */
function dayForKey({ key, shiftKey }: KeyboardEvent, day: string, firstWeekday: number): string | null {
  const daysIntoWeek = (weekdayOf(day) - firstWeekday + 7) % 7
  if (key === 'ArrowLeft') return addDays(day, -1)
  if (key === 'ArrowRight') return addDays(day, 1)
  if (key === 'ArrowUp') return addDays(day, -7)
  if (key === 'ArrowDown') return addDays(day, 7)
  if (key === 'Home') return addDays(day, -daysIntoWeek)
  if (key === 'End') return addDays(day, 6 - daysIntoWeek)
  if (key === 'PageUp') return addMonths(day, shiftKey ? -12 : -1)
  if (key === 'PageDown') return addMonths(day, shiftKey ? 12 : 1)
  return null
}
