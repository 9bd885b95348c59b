import { readField } from '#web/data/store/row-fields.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { FieldConflict, Operation } from '#web/data/store/operation.ts'
import { editedSet, isSetEdit, isSetField, mergedSet } from '#web/data/store/set-edit.ts'

/** How to continue with an update whose version is no longer that of the server (docs/offline.md). */
export type Verdict =
  /** The row was deleted: it stays deleted, and the edit needs attention. */
  | { kind: 'deleted' }
  /** The server already has these values. */
  | { kind: 'done' }
  /**
   * Other fields have changed, or this edit is the last write: send it again for this version. `values` has the sets of both sides merged.
   */
  | { kind: 'resend'; version: number; base: Record<string, unknown>; values: Record<string, unknown> }
  /**
   * Somebody else changed the field after this edit was made (fields where the last write wins), or changed a field that an undo would
   * write. Their value stays.
   */
  | { kind: 'overtaken' }
  /** Somebody else changed the same field: the user decides. `row` is the server row. */
  | { kind: 'ask'; conflicts: readonly FieldConflict[]; row: AnyRow }

/**
 * Compares an update with the current server row (undefined if the row does not exist). A link that the server has cleared because its record was
 * deleted (`isDeleted`) causes no conflict.
 */
export function judgeUpdate(
  operation: Operation,
  current: AnyRow | undefined,
  isDeleted: (id: string) => boolean = () => false,
): Verdict {
  if (!current) return { kind: 'deleted' }
  const now = (field: string) => readField(current, field)
  const fields = Object.keys(operation.values)
  const values = withMergedSets(operation, { ...current })
  if (fields.every((field) => isSameValue(now(field), values[field]))) return { kind: 'done' }
  const conflicts = fields
    .filter((field) => !isSetField(field))
    .filter(
      (field) => !isSameValue(now(field), operation.base[field]) && !isSameValue(now(field), operation.values[field]),
    )
    .filter(
      (field) =>
        !(
          (now(field) ?? null) === null &&
          typeof operation.base[field] === 'string' &&
          isDeleted(operation.base[field])
        ),
    )
    .map((field) => ({
      field,
      base: operation.base[field],
      mine: operation.values[field],
      theirs: now(field),
    }))
  const base = Object.fromEntries(fields.map((field) => [field, now(field)]))
  if (conflicts.length === 0) return { kind: 'resend', version: current.version, base, values }
  if (operation.givesWay) return { kind: 'overtaken' }
  if (!operation.lastWriteStands) return { kind: 'ask', conflicts, row: current }
  if (Date.parse(current.updated_at) > Date.parse(operation.at)) return { kind: 'overtaken' }
  return { kind: 'resend', version: current.version, base, values }
}

/** Returns the values of an update for a row as it is now. In a set, this user's additions and removals are applied to the current ids. */
export function withMergedSets(
  { values, base }: Pick<Operation, 'values' | 'base'>,
  now: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      isSetField(field) ? mergedSet(base[field], value, now[field]) : value,
    ]),
  )
}

/**
 * Whether somebody else has changed the fields of an `update-all` in this row after the edit was made. For an undo: since this device saw them.
 * Their values stay.
 */
export function isOvertaken(operation: Operation, current: AnyRow): boolean {
  const base = operation.bases?.[current.id]
  if (!base) return false
  if (!operation.givesWay && Date.parse(current.updated_at) <= Date.parse(operation.at)) return false
  const { values } = operation
  const fields = Object.keys(values).filter((field) => !isSetEdit(values[field]))
  return fields.some((field) => {
    const now = readField(current, field)
    return !isSameValue(now, base[field]) && !isSameValue(now, values[field])
  })
}

/** Whether a row already has the values that the operation writes. */
export function hasValues({ values }: Pick<Operation, 'values'>, current: AnyRow): boolean {
  return Object.entries(values).every(([field, value]) => {
    const now = readField(current, field)
    return isSameValue(now, isSetEdit(value) ? editedSet(now, value) : value)
  })
}

/** Whether two values are equal. Times are compared as moments, because the browser and the server format them differently. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true
  if (typeof a !== 'string' || typeof b !== 'string') return JSON.stringify(a) === JSON.stringify(b)
  return isMoment(a) && isMoment(b) && Date.parse(a) === Date.parse(b)
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
}
