/** A time at the end of a typed text ('9:30', '3pm', '15h'), and the text before it. */
export interface TypedTime {
  /** The text before the time, without a word such as 'at'. */
  before: string
  /** The time as `HH:mm`. Null if there is no time, or an invalid one. */
  time: string | null
  /** The message that says what is wrong with the time. Absent if the time is valid, or if there is no time. */
  problem?: string
}

const amPmPattern = /^(.*?)(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.? ?m\.?$/
const clockPattern = /^(.*?)(\d{1,2})[:h](\d{2})(?::\d{2}(?:\.\d+)?)?(?: uhr)?$/
const hourPattern = /^(.*?)(\d{1,2}) ?(?:h|uhr)$/
const noonPattern = /^(.*?)(noon)$/
/** Matches what stands between a day and a time: a space, perhaps with a word such as 'at'. In an ISO moment it is a T. */
const separatorPattern = /(?:^|[ ]|(?<=\d)t)(?:(?:at|um|a|kl\.?) )?$/

/** Splits a typed text, which `plainWords` has simplified, into the text before its time, and the time. */
export function splitTime(text: string): TypedTime {
  const match = amPmPattern.exec(text) ?? clockPattern.exec(text) ?? hourPattern.exec(text) ?? noonPattern.exec(text)
  const [all, before, hours, minutes = '00', amOrPm] = match ?? []
  if (all === undefined || before === undefined || !separatorPattern.test(before)) return { before: text, time: null }
  const rest = before.replace(separatorPattern, '').trim()
  const typedHour = hours === 'noon' ? 12 : Number(hours)
  const timeText = all.slice(before.length)
  const hasAmOrPm = amOrPm !== undefined
  if (Number(minutes) > 59 || typedHour > 23 || (hasAmOrPm && (typedHour < 1 || typedHour > 12)))
    return { before: rest, time: null, problem: `There is no time ${timeText}: type one such as 9:30` }
  const hourOfDay = hasAmOrPm ? (typedHour % 12) + (amOrPm === 'p' ? 12 : 0) : typedHour
  return { before: rest, time: `${String(hourOfDay).padStart(2, '0')}:${minutes}` }
}
