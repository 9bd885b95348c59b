import { readField } from '#web/data/store/row-fields.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { withMergedSets } from './merged-sets.ts'
import { isSameValue } from './same-value.ts'
import { isIdSetField } from '#web/data/store/set-edit.ts'
import { editsRows, type Operation, haveCommonRow } from '#web/data/store/operation.ts'

/**
 * Rebases the later edits of a row after `settled` was applied. Returns the edits that changed. `row`: the server row after `settled`.
 * - Base: in all later edits, the base of a field that `settled` wrote becomes the value in `row`. If others may have changed the row since
 *   (`wasReadLater`), this applies only to sets of ids, and to fields that still have the written value.
 * - Version: only the next edit gets a version, that of `row`. It gets 0 instead if one of its fields has another value in `row` than in its base,
 *   because somebody else has changed this field. With version 0, the row is read and compared (`judgeUpdate`) before the edit is sent. Each
 *   further edit gets its version later, from the answer to the edit before it.
 * - Other change: the next edit gets `theirsAt` and `theirsBy`, because `row` names only the user who wrote it last.
 */
export function rebaseLaterEdits(
  later: readonly Operation[],
  settled: Operation,
  row: AnyRow,
  wasReadLater = false,
): Operation[] {
  /** The fields that the edits between `settled` and `operation` write. The answers to those edits will rebase these fields of `operation`. */
  const fieldsWrittenBetween = new Set<string>()
  const changed: Operation[] = []
  let isNext = true
  for (const operation of later) {
    if (operation.kind !== 'update' || operation.table !== settled.table || operation.rowId !== row.id) continue
    const fields = Object.keys(operation.values)
    const base = { ...operation.base }
    const written = fields
      .filter((field) => isWrittenBy(settled, field) && !fieldsWrittenBetween.has(field))
      .filter((field) => !wasReadLater || isIdSetField(field) || hasWrittenValue(settled, field, row))
    for (const field of written) base[field] = readField(row, field)
    const isBaseSame = written.every((field) => isSameValue(base[field], operation.base[field]))
    const isUpToDate = fields.every(
      (field) => fieldsWrittenBetween.has(field) || isSameValue(base[field], readField(row, field)),
    )
    const merged = withMergedSets(operation, { ...operation.base, ...base })
    const rebased = { ...operation, base, values: merged, preview: { ...operation.preview, ...merged } }
    const { theirsAt, theirsBy } = settled
    if (isNext) changed.push({ ...rebased, version: isUpToDate ? row.version : 0, theirsAt, theirsBy })
    else if (!isBaseSame) changed.push(rebased)
    isNext = false
    for (const field of fields) fieldsWrittenBetween.add(field)
  }
  return changed
}

/**
 * Called when an edit is dropped, completely or only in these `fields`. Rebases the later edits of `fields` that were based on the dropped
 * values: each is now based on the value before the dropped edit, and its row is read before it is sent (version 0). Otherwise a later edit
 * could overwrite a colleague's value that the user has just decided to keep. Sets of ids are merged and need no change.
 */
export function rebaseWithout(
  operations: readonly Operation[],
  dropped: Operation,
  fields: readonly string[],
): Operation[] {
  return operations.flatMap((operation) => {
    if (operation.kind !== 'update' || operation.seq <= dropped.seq || !haveCommonRow(operation, dropped)) return []
    const bases = fields
      .filter((field) => field in operation.values && !isIdSetField(field))
      .filter((field) => isSameValue(operation.base[field], dropped.values[field]))
      .map((field) => [field, dropped.base[field]] as const)
    return bases.length === 0
      ? []
      : [{ ...operation, version: 0, base: { ...operation.base, ...Object.fromEntries(bases) } }]
  })
}

/**
 * Whether an operation wrote this field of the row. An edit writes its own fields, an insert writes all fields. A call or a restore may
 * have found values of a colleague, so they count as writing no field.
 */
function isWrittenBy({ kind, values }: Operation, field: string): boolean {
  return kind === 'insert' || (editsRows({ kind }) && field in values)
}

/** Whether a field of the row has the value that an operation wrote. */
function hasWrittenValue({ values, preview }: Operation, field: string, row: AnyRow): boolean {
  return isSameValue(readField(row, field), field in values ? values[field] : preview[field])
}
