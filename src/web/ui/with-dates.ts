import { toNestErrors } from '@hookform/resolvers'
import type { FieldValues, Resolver } from 'react-hook-form'
import { dateProblem } from '#web/lib/date-problem.ts'

/** A resolver for forms with date fields: adds the problems of the date fields, as the browser sees them, to the errors of `resolver`. */
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
    return { values: {}, errors: toNestErrors({ ...result.errors, ...Object.fromEntries(wrong) }, options) }
  }
}
