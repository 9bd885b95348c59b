/** A time at the end of a typed text ('9:30', '3pm', '15h'), and the text before it. */
export interface TypedTime {
  /** The text before the time, without a word such as 'at'. */
  before: string
  /** The time as `HH:mm`. Null if there is no time, or an invalid one. */
  time: string | null
  /** The message that says what is wrong with the time. Absent if the time is valid, or if there is no time. */
  problem?: string
}

const twelveHours = /^(.*?)(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.? ?m\.?$/
const clock = /^(.*?)(\d{1,2})[:h](\d{2})(?::\d{2}(?:\.\d+)?)?(?: uhr)?$/
const hour = /^(.*?)(\d{1,2}) ?(?:h|uhr)$/
const noon = /^(.*?)(noon)$/
/** Matches what stands between a day and a time: a space, perhaps with a word such as 'at'. In an ISO moment it is a T. */
const between = /(?:^|[ ]|(?<=\d)t)(?:(?:at|um|a|kl\.?) )?$/

/** Splits a typed text, which `plainWords` has simplified, into the text before its time, and the time. */
export function splitTime(text: string): TypedTime {
  const match = twelveHours.exec(text) ?? clock.exec(text) ?? hour.exec(text) ?? noon.exec(text)
  const [all, before, hours, minutes = '00', half] = match ?? []
  if (all === undefined || before === undefined || !between.test(before)) return { before: text, time: null }
  const rest = before.replace(between, '').trim()
  const number = hours === 'noon' ? 12 : Number(hours)
  const written = all.slice(before.length)
  const isHalfDay = half !== undefined
  if (Number(minutes) > 59 || number > 23 || (isHalfDay && (number < 1 || number > 12)))
    return { before: rest, time: null, problem: `There is no time ${written}: type one such as 9:30` }
  const ofDay = isHalfDay ? (number % 12) + (half === 'p' ? 12 : 0) : number
  return { before: rest, time: `${String(ofDay).padStart(2, '0')}:${minutes}` }
}
