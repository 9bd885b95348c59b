import type { BrandData } from '#web/data/store/brand-data.ts'
import { amountFields } from '#web/data/store/amount-fields.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { readField } from '#web/data/store/row-fields.ts'
import { editedSet, inverseEdit, isSetEdit, isIdSetField, mergedSet } from '#web/data/store/set-edit.ts'
import { fieldOf } from '#web/lib/read-unknown.ts'
import { isSameValue } from './same-value.ts'
import { fieldWords } from './field-words.ts'
import { memberName } from './member-name.ts'
import { rowWordsOf, nameOfRecord } from './record-words.ts'
import type { DoneOperation } from './steps.ts'

/** A row, or a field of a row, that an undo does not change, and why. */
export interface SkippedUndo {
  rowId: string
  /** Why the undo does not change the row or field: 'The amount of Renewal 2027 was changed since'. */
  words: string
}

/** The values that an undo writes to one row, and what it leaves as it is. */
export interface UndoValues {
  /** The values from before the edit. Fields that somebody has changed since are left out; `skipped` lists them. */
  values: Record<string, unknown>
  skipped: SkippedUndo[]
  /**
   * False if this device does not have the row as it was after the edit. The undo then assumes that the row has the values of the edit, and
   * the server decides.
   */
  isHere: boolean
}

/** Returns the values that the undo of an edit should write to one row. */
export function undoValuesOf(data: BrandData, operation: DoneOperation, rowId: string): UndoValues {
  const allBefore = operation.bases ? operation.bases[rowId] : operation.base
  // Without the fields that the database sets, which nobody may write.
  const base = allBefore && Object.fromEntries(Object.keys(operation.values).map((field) => [field, allBefore[field]]))
  const row = data.tables[operation.table].get(rowId)
  const sets = base ? earlierSets(operation, base, row) : {}
  if (base && isElsewhere(data, operation, rowId, row))
    return { values: { ...base, ...sets }, skipped: [], isHere: false }
  if (!row || !base) return { values: {}, skipped: [goneRow(operation, rowId)], isHere: true }
  const editedFields = Object.keys(operation.values)
  const changed = editedFields.filter((field) => {
    if (isIdSetField(field)) return false
    const currentValue = readField(row, field)
    return !isSameValue(currentValue, operation.values[field]) && !isSameValue(currentValue, base[field])
  })
  const earlierValue = (currentRow: AnyRow, field: string) => {
    const set = sets[field]
    return isSetEdit(set) ? editedSet(fieldOf(currentRow, field), set) : (set ?? base[field])
  }
  const skippedFields = new Set(withWholeAmount(changed, editedFields))
  const untouchedFields = editedFields.filter((field) => !skippedFields.has(field))
  const fields = withWholeAmount(
    untouchedFields.filter((field) => !isSameValue(readField(row, field), earlierValue(row, field))),
    untouchedFields,
  )
  const [firstChanged] = changed
  // This device may have the row from before the edit although its `updated_at` is after `at`: the clocks of device and server differ a little.
  if (operation.onServer && fields.length === 0 && firstChanged === undefined)
    return { values: { ...base, ...sets }, skipped: [], isHere: false }
  const values = Object.fromEntries(fields.map((field) => [field, sets[field] ?? base[field] ?? null]))
  if (firstChanged === undefined) return { values, skipped: [], isHere: true }
  const what = `${changed.length > 1 ? '' : `the ${fieldWords(firstChanged, data)} of `}${nameOf(operation, row)}`
  return { values, skipped: [{ rowId, words: changeSentence(what) }], isHere: true }
}

/** Returns those of the edited fields that are in `fields`, and both of amount and currency if one of the two is. */
function withWholeAmount(fields: readonly string[], editedFields: readonly string[]): string[] {
  const hasAmount = amountFields.some((field) => fields.includes(field))
  return editedFields.filter((field) => fields.includes(field) || (hasAmount && amountFields.includes(field)))
}

/**
 * Returns, for each edited field with a set of ids (such as `tag_ids`), the value that reverts only what the edit itself added and removed.
 * What other people added to the set or removed from it stays.
 */
function earlierSets({ values }: DoneOperation, base: Record<string, unknown>, row?: AnyRow): Record<string, unknown> {
  const sets = Object.entries(values).filter(([field]) => isIdSetField(field))
  return Object.fromEntries(
    sets.map(([field, value]) => {
      const isEdit = isSetEdit(value)
      return [field, isEdit ? inverseEdit(value, base[field]) : mergedSet(value, base[field], fieldOf(row, field))]
    }),
  )
}

/**
 * Whether this device lacks the row as it was after the edit: the table is windowed and the row is not here, or the server made the edit (`onServer`)
 * and this device has not pulled it yet.
 */
function isElsewhere(data: BrandData, { table, at, onServer }: DoneOperation, rowId: string, row?: AnyRow): boolean {
  if (!row)
    return (
      (onServer === true || data.state.get().tables[table]?.mode === 'windowed') && !data.recentlyDeleted.has(rowId)
    )
  return onServer === true && Date.parse(row.updated_at) < Date.parse(at)
}

/**
 * Returns why an undo must not delete a record that its operation created: somebody else has changed the record since, or this device no
 * longer has it. Null if the undo can delete it.
 */
export function obstacleToDeletion(data: BrandData, operation: DoneOperation, rowId: string): SkippedUndo | null {
  const row = data.tables[operation.table].get(rowId)
  if (!row) return goneRow(operation, rowId)
  const isTheirs = row.updated_by !== null && row.updated_by !== data.userId
  if (!isTheirs || Date.parse(row.updated_at) <= Date.parse(operation.at)) return null
  return { rowId, words: changeSentence(nameOf(operation, row), memberName(data.device, row.updated_by)) }
}

function goneRow(operation: DoneOperation, rowId: string): SkippedUndo {
  return { rowId, words: `The ${rowWordsOf(operation.table).one} no longer exists` }
}

function nameOf({ table }: DoneOperation, row: AnyRow): string {
  return nameOfRecord(row) ?? `a ${rowWordsOf(table).one}`
}

/**
 * Returns the sentence about a change: 'The amount of Roof was changed since'. `who`: the member who has certainly made it. The last writer of a row
 * is known, but may have changed other fields than those of the sentence.
 */
function changeSentence(what: string, who: string | null = null): string {
  if (who) return `${who} changed ${what} since`
  return `${what.replace(/^(?:a|the) /, (article) => article.charAt(0).toUpperCase() + article.slice(1))} was changed since`
}
