/** The last moment that a date field offers: without it browsers take years of six digits. */
export const lastDay = '9999-12-31'
export const lastMoment = '9999-12-30T23:59'

/**
 * What is wrong with a date field (`date` or `datetime-local`) as it stands; null: nothing, or another kind of field. The field itself is asked, because the
 * value of a date that is typed in part is '', as if there were none.
 */
export function dateProblem(field: HTMLInputElement): string | null {
  const { type, validity, value } = field
  if (type !== 'date' && type !== 'datetime-local') return null
  if (validity.badInput)
    return type === 'date' ? 'Complete the date or clear it' : 'Complete the date and time or clear them'
  // '26' is the year 26 to the browser.
  return validity.rangeOverflow || value.startsWith('0') ? 'Write the year with four digits' : null
}
