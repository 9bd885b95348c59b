import type { AnyRow } from '#web/data/server/tables.ts'
import type { FieldConflict, Operation } from '#web/data/store/operation.ts'

/** What to do with an update whose version was no longer the server's (design 2.7, "Conflicts"). */
export type Verdict =
  /** The row is gone: the delete stands, the edit needs attention. */
  | { kind: 'deleted' }
  /** The server has these values already. */
  | { kind: 'done' }
  /** Only other fields changed, or ours is the last write: send again on this version. */
  | { kind: 'resend'; version: number; base: Record<string, unknown> }
  /** A field where the last write stands was changed after our edit was made: theirs stands. */
  | { kind: 'overtaken' }
  /** The same field: the user is asked. */
  | { kind: 'ask'; conflicts: readonly FieldConflict[] }

/**
 * Compares an update with the server's present row (undefined: there is none). A link that is empty there because its record was deleted
 * (`isGone`) is nobody's edit.
 */
export function judgeUpdate(
  operation: Operation,
  current: AnyRow | undefined,
  isGone: (id: string) => boolean = () => false,
): Verdict {
  if (!current) return { kind: 'deleted' }
  const now = current as unknown as Record<string, unknown>
  const fields = Object.keys(operation.values)
  if (fields.every((field) => same(now[field], operation.values[field]))) return { kind: 'done' }
  const conflicts = fields
    .filter((field) => !same(now[field], operation.base[field]) && !same(now[field], operation.values[field]))
    .filter(
      (field) => !(now[field] === null && typeof operation.base[field] === 'string' && isGone(operation.base[field])),
    )
    .map((field) => ({
      field,
      base: operation.base[field],
      mine: operation.values[field],
      theirs: now[field],
    }))
  const base = Object.fromEntries(fields.map((field) => [field, now[field]]))
  if (conflicts.length === 0) return { kind: 'resend', version: current.version, base }
  if (!operation.lastWriteStands) return { kind: 'ask', conflicts }
  if (Date.parse(current.updated_at) > Date.parse(operation.at)) return { kind: 'overtaken' }
  return { kind: 'resend', version: current.version, base }
}

/** Whether somebody changed what this operation on many rows sets later than it was made: theirs stands. */
export function isOvertaken(operation: Operation, current: AnyRow): boolean {
  const base = operation.bases?.[current.id]
  if (!base || Date.parse(current.updated_at) <= Date.parse(operation.at)) return false
  const now = current as unknown as Record<string, unknown>
  const { values } = operation
  return Object.keys(values).some((field) => !same(now[field], base[field]) && !same(now[field], values[field]))
}

/** Whether two stored values are the same: times are compared as moments, because the two sides write them differently. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true
  if (typeof a !== 'string' || typeof b !== 'string') return JSON.stringify(a) === JSON.stringify(b)
  return isMoment(a) && isMoment(b) && Date.parse(a) === Date.parse(b)
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
}
