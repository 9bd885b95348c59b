/** The latest moment that a date field accepts: without a maximum browsers accept years with six digits. */
export const lastDay = '9999-12-31'
export const lastMoment = '9999-12-30T23:59'

/**
 * What is wrong with a date field (`date` or `datetime-local`) now; null: nothing, or another type of field. Asks the field itself, because
 * the value of a partly typed date is ''.
 */
export function dateProblem(field: HTMLInputElement): string | null {
  const { type, validity, value } = field
  if (type !== 'date' && type !== 'datetime-local') return null
  if (validity.badInput)
    return type === 'date' ? 'Complete the date or clear it' : 'Complete the date and time or clear them'
  // Browsers read '26' as the year 26.
  return validity.rangeOverflow || value.startsWith('0') ? 'Write the year with four digits' : null
}
