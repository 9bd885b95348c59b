import type { CallPlan } from './plan.ts'
import { bodySlot } from './request.ts'
import { type Parameters, quoteName } from './sql-text.ts'

/** Returns the SQL row source of a function call, with the alias `result`. The arguments are passed by name. */
export function callFromSql(plan: CallPlan, parameters: Parameters): string {
  const { routine, args } = plan
  const fromBody = args.filter((arg) => arg.value === null)
  const body =
    fromBody.length === 0
      ? ''
      : `json_to_record(${parameters.add({ from: bodySlot, as: 'text' })}::json) as body(${fromBody
          .map((arg) => `${quoteName(arg.name)} ${arg.type}`)
          .join(', ')}), lateral `
  const values = args.map((arg) => {
    const value = arg.value === null ? `body.${quoteName(arg.name)}` : `${parameters.add(arg.value)}::${arg.type}`
    return `${quoteName(arg.name)} => ${value}`
  })
  return `${body}${routine.sql}(${values.join(', ')}) as result`
}
