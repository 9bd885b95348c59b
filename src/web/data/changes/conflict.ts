import { amountFields } from '#web/data/store/amount-fields.ts'
import { readField } from '#web/data/store/row-fields.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { FieldConflict, Operation } from '#web/data/store/operation.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { editedSet, isSetEdit, isIdSetField } from '#web/data/store/set-edit.ts'
import { withMergedSets } from './merged-sets.ts'
import { isSameValue } from './same-value.ts'

/** How an update continues if the server now has another version of its row (docs/offline.md). */
export type Verdict =
  /** The row was deleted: it stays deleted, and the edit needs attention. */
  | { kind: 'deleted' }
  /** The server already has the values that the update writes. */
  | { kind: 'done' }
  /**
   * The update is sent again, for this version of the row: only other fields have changed, or the last write wins. In `values`, a set
   * contains the changes of both sides.
   */
  | { kind: 'resend'; version: number; base: Record<string, unknown>; values: Record<string, unknown> }
  /**
   * Somebody else's value stays. That person made the change after this edit, in a field in which the last write wins; or this edit is an undo
   * or a redo, which never overwrites another person's change.
   */
  | { kind: 'overtaken' }
  /** Somebody else changed the same field, so the user has to decide. `row` is the server row. */
  | { kind: 'ask'; conflicts: readonly FieldConflict[]; row: AnyRow }

/**
 * Decides how an update continues, by comparing it with the current server row (undefined if the row does not exist). `isDeleted` returns whether
 * the record with this id was deleted. A link that the server has cleared because the linked record was deleted causes no conflict. Amount and
 * currency count as one field: if one of them is in conflict, both are.
 */
export function judgeUpdate(
  operation: Operation,
  current: AnyRow | undefined,
  isDeleted: (id: string) => boolean = () => false,
): Verdict {
  if (!current) return { kind: 'deleted' }
  const currentValue = (field: string) => readField(current, field)
  const fields = Object.keys(operation.values)
  const values = withMergedSets(operation, { ...current })
  if (fields.every((field) => isSameValue(currentValue(field), values[field]))) return { kind: 'done' }
  const changedByBoth = fields
    .filter((field) => !isIdSetField(field))
    .filter(
      (field) =>
        !isSameValue(currentValue(field), operation.base[field]) &&
        !isSameValue(currentValue(field), operation.values[field]),
    )
    .filter(
      (field) =>
        !(
          (currentValue(field) ?? null) === null &&
          typeof operation.base[field] === 'string' &&
          isDeleted(operation.base[field])
        ),
    )
  const isAmountInConflict = changedByBoth.some((field) => amountFields.includes(field))
  const conflicts = fields
    .filter((field) => changedByBoth.includes(field) || (isAmountInConflict && amountFields.includes(field)))
    .map((field) => ({
      field,
      base: operation.base[field],
      mine: operation.values[field],
      theirs: currentValue(field),
    }))
  const base = Object.fromEntries(fields.map((field) => [field, currentValue(field)]))
  if (conflicts.length === 0) return { kind: 'resend', version: current.version, base, values }
  if (operation.givesWay) return { kind: 'overtaken' }
  if (!operation.lastWriteStands) return { kind: 'ask', conflicts, row: current }
  if (isChangedAfter(operation, current)) return { kind: 'overtaken' }
  return { kind: 'resend', version: current.version, base, values }
}

/**
 * Whether an `update-all` must not write this row. This is so if a field that it sets has neither the new value nor the value that this device last
 * saw, and the row was changed after the edit was made (`isChangedAfter`). For an undo or a redo (`givesWay`), this time does not count. A `SetEdit`
 * is ignored, because sets are merged.
 */
export function isOvertaken(operation: Operation, current: AnyRow): boolean {
  const base = operation.bases?.[current.id]
  if (!base) return false
  if (!operation.givesWay && !isChangedAfter(operation, current)) return false
  const { values } = operation
  const fields = Object.keys(values).filter((field) => !isSetEdit(values[field]))
  return fields.some((field) => {
    const currentValue = readField(current, field)
    return !isSameValue(currentValue, base[field]) && !isSameValue(currentValue, values[field])
  })
}

/**
 * Whether the row was changed after the edit was made. For a move of a deal, the time of its last move counts (`stage_since`), because a later edit
 * of another field is not a later move.
 */
function isChangedAfter({ values, at }: Operation, current: AnyRow): boolean {
  const changedAt = 'stage_id' in values ? (textOf(current, 'stage_since') ?? current.updated_at) : current.updated_at
  return Date.parse(changedAt) > Date.parse(at)
}

/** Whether a row already has the values that an operation writes. */
export function hasValues({ values }: Pick<Operation, 'values'>, current: AnyRow): boolean {
  return Object.entries(values).every(([field, value]) => {
    const currentValue = readField(current, field)
    return isSameValue(currentValue, isSetEdit(value) ? editedSet(currentValue, value) : value)
  })
}
