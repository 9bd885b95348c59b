import { cx } from '#web/lib/class-names.ts'
import { lastDay, lastMoment } from '#web/lib/date-problem.ts'
import { CalendarIcon } from './icons.tsx'
import { Input, type InputProps } from './input.tsx'

type DateProps = Omit<InputProps, 'type' | 'leading' | 'trailing'>

/** A day, `YYYY-MM-DD` or ''. The browser's own control, with the person's format and calendar. */
export function DateInput(props: DateProps) {
  return (
    <Input
      {...props}
      type="date"
      max={lastDay}
      className={cx('date-frame', props.className)}
      leading={<CalendarIcon />}
    />
  )
}

/** A day and time in local time, `YYYY-MM-DDTHH:mm` or ''. */
export function DateTimeInput(props: DateProps) {
  return (
    <Input
      {...props}
      type="datetime-local"
      max={lastMoment}
      className={cx('date-frame', props.className)}
      leading={<CalendarIcon />}
    />
  )
}
