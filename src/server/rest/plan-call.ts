import { HttpError, refusal } from '#server/http/errors.ts'
import type { CallPlan } from './plan.ts'
import { planRead, type ReadOptions } from './plan-read.ts'
import type { Query, Value } from './request.ts'
import type { Routine } from './schema.ts'
import { unknownFunction } from './unknown-name.ts'

/**
 * Chooses the overload of a function that accepts all `givenArguments` arguments and requires no others, and plans the call.
 * `givenArguments` maps the names of arguments to their values (GET, HEAD), or to null if the values are in the body (POST). Throws:
 * - 404 PGRST202 if no overload matches
 * - 300 PGRST203 if several overloads match
 * - 405 25006 if the call must not write (`root.isReadOnlyCall`) but the function may
 * - 400 PGRST127 if the query filters, orders or limits a result that is not rows
 */
export function planCall(
  options: ReadOptions,
  name: string,
  givenArguments: ReadonlyMap<string, Value | null>,
  root: { limit: number | null; offset: boolean; isReadOnlyCall: boolean },
): CallPlan {
  const routine = chooseOverload(options, name, [...givenArguments.keys()])
  if (root.isReadOnlyCall && routine.mayWrite) throw mayWriteRefusal(name)
  const args = routine.args
    .filter((arg) => givenArguments.has(arg.name))
    .map((arg) => ({ name: arg.name, type: arg.type, value: givenArguments.get(arg.name) ?? null }))
  const { kind, relation } = routine.returns
  const returnsRows = kind === 'rows' && relation !== null && relation.columns.size > 0
  if (!returnsRows && options.query.levels.size > 0) {
    throw refusal('PGRST127', { details: `Filters, order and limits are not served on the result of ${name}` })
  }
  const read = returnsRows ? planRead(options, relation, root) : null
  return { routine, args, read, maxRows: root.limit ?? options.maxRows, isReadOnlyCall: root.isReadOnlyCall }
}

/**
 * Returns the arguments of a function that is called by GET or HEAD, from the query string. The other parameters of the query string
 * select, filter and order the returned rows.
 */
export function argumentsOf(query: Query): Map<string, Value> {
  return new Map(query.args.map((arg) => [arg.name, arg.value]))
}

function chooseOverload({ schema }: ReadOptions, name: string, givenArguments: readonly string[]): Routine {
  const matchingRoutines = (schema.functions.get(name) ?? []).filter(
    (routine) =>
      givenArguments.every((arg) => routine.args.some((parameter) => parameter.name === arg)) &&
      routine.args.every((arg) => !arg.required || givenArguments.includes(arg.name)),
  )
  const [only, another] = matchingRoutines
  if (!only) throw unknownFunction(schema, name, givenArguments)
  if (!another) return only
  const candidates = matchingRoutines.map((routine) => `${schema.name}.${signature(routine)}`).join(', ')
  throw new HttpError(300, 'PGRST203', `Could not choose the best candidate function between: ${candidates}`, {
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })
}

/**
 * Returns the refusal of a GET or HEAD that calls a function which may write. PostgreSQL would refuse the first write of the function
 * with the same error. This server refuses before the function runs, because errors before the first write could reveal data, and
 * because everything that the function counts would be rolled back.
 */
function mayWriteRefusal(name: string): HttpError {
  return new HttpError(405, '25006', `cannot execute ${name} in a read-only transaction`, {
    hint: 'Call this function by POST.',
    headers: { Allow: 'POST, OPTIONS' },
  })
}

function signature(routine: Routine): string {
  return `${routine.name}(${routine.args.map((arg) => `${arg.name} => ${arg.type}`).join(', ')})`
}
