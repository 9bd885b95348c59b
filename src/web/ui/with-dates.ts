import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import { dateProblem } from '#web/lib/date-problem.ts'

/** The resolver of a form with date fields: what is wrong with one of them as it stands is an error beside those of `resolver`. */
export function withDates<Typed extends FieldValues, Checked>(
  resolver: Resolver<Typed, unknown, Checked>,
): Resolver<Typed, unknown, Checked> {
  return async (values, context, options) => {
    const result = await resolver(values, context, options)
    const wrong = Object.entries(options.fields).flatMap(([name, field]) => {
      const ref = field?.ref
      const message = ref instanceof HTMLInputElement ? dateProblem(ref) : null
      return message === null ? [] : [[name, { type: 'date', message, ref }]]
    })
    if (wrong.length === 0) return result
    return { values: {}, errors: { ...result.errors, ...Object.fromEntries(wrong) } as FieldErrors<Typed> }
  }
}
