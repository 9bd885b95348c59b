import type { BrandData } from '#web/data/store/brand-data.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { readField } from '#web/data/store/row-fields.ts'
import { editedSet, inverseEdit, isSetEdit, isSetField, mergedSet } from '#web/data/store/set-edit.ts'
import { fieldOf } from '#web/lib/read-unknown.ts'
import { same } from './conflict.ts'
import { fieldWords } from './field-words.ts'
import { memberName } from './member-name.ts'
import { nounOf, recordName } from './record-words.ts'
import type { Done } from './steps.ts'

/** A row, or a field of it, that an undo leaves as it is. */
export interface Kept {
  rowId: string
  /** Why: 'Anna changed the amount of Renewal 2027 since'. */
  words: string
}

/** Fields that have a meaning only together. */
const pairs: readonly (readonly string[])[] = [['amount', 'amount_currency']]

/** What one row gets back. */
export interface TakenBack {
  /** The values of before the edit. Fields with another value than the edit gave them are left out, with `changes`. */
  values: Record<string, unknown>
  changes: Kept[]
  /** False: this device has not the row of after the edit. It is taken to be as the edit left it; the server knows. */
  isHere: boolean
}

export function takenBack(data: BrandData, operation: Done, rowId: string): TakenBack {
  const base = operation.bases ? operation.bases[rowId] : operation.base
  const row = data.tables[operation.table].get(rowId)
  const sets = base ? setsOfBefore(operation, base, row) : {}
  if (base && isElsewhere(data, operation, rowId, row))
    return { values: { ...base, ...sets }, changes: [], isHere: false }
  if (!row || !base) return { values: {}, changes: [gone(operation, rowId)], isHere: true }
  const changed = Object.keys(operation.values).filter((field) => {
    if (isSetField(field)) return false
    const now = readField(row, field)
    return !same(now, operation.values[field]) && !same(now, base[field])
  })
  const valueOfBefore = (now: AnyRow, field: string) => {
    const set = sets[field]
    return isSetEdit(set) ? editedSet(fieldOf(now, field), set) : (set ?? base[field])
  }
  const stays = new Set([...changed, ...pairs.filter((pair) => pair.some((each) => changed.includes(each))).flat()])
  const fields = Object.keys(operation.values).filter(
    (field) => !stays.has(field) && !same(readField(row, field), valueOfBefore(row, field)),
  )
  const values = Object.fromEntries(fields.map((field) => [field, sets[field] ?? base[field] ?? null]))
  const [first] = changed
  if (first === undefined) return { values, changes: [], isHere: true }
  const what = `${changed.length > 1 ? '' : `the ${fieldWords(first, data)} of `}${nameOf(operation, row)}`
  return { values, changes: [{ rowId, words: whoChanged(data, row, what) }], isHere: true }
}

/** The sets of ids that the edit has changed, without what it did in them: what others changed in the same set stays. */
function setsOfBefore({ values }: Done, base: Record<string, unknown>, row?: AnyRow): Record<string, unknown> {
  const sets = Object.entries(values).filter(([field]) => isSetField(field))
  return Object.fromEntries(
    sets.map(([field, value]) => {
      const isEdit = isSetEdit(value)
      return [field, isEdit ? inverseEdit(value, base[field]) : mergedSet(value, base[field], fieldOf(row, field))]
    }),
  )
}

/** The row is only on the server, or was changed there and has not come back yet. */
function isElsewhere(data: BrandData, { table, at, onServer }: Done, rowId: string, row?: AnyRow): boolean {
  if (!row) return data.state.get().tables[table]?.mode === 'windowed' && !data.recentlyDeleted.has(rowId)
  return onServer === true && Date.parse(row.updated_at) < Date.parse(at)
}

/** Why a record that an operation made is not deleted: somebody else has changed it since, or it is gone. Null: it can be deleted. */
export function changedSince(data: BrandData, operation: Done, rowId: string): Kept | null {
  const row = data.tables[operation.table].get(rowId)
  if (!row) return gone(operation, rowId)
  const isTheirs = row.updated_by !== null && row.updated_by !== data.userId
  if (!isTheirs || Date.parse(row.updated_at) <= Date.parse(operation.at)) return null
  return { rowId, words: whoChanged(data, row, nameOf(operation, row)) }
}

function gone(operation: Done, rowId: string): Kept {
  return { rowId, words: `The ${nounOf(operation.table).one} is not here any more` }
}

function nameOf({ table }: Done, row: AnyRow): string {
  return recordName(row) ?? `a ${nounOf(table).one}`
}

function whoChanged(data: BrandData, row: AnyRow, what: string): string {
  const who = row.updated_by === data.userId ? 'You' : (memberName(data.device, row.updated_by) ?? 'Somebody')
  return `${who} changed ${what} since`
}
