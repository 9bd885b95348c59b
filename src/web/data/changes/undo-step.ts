import type { Device } from '#web/data/browser/device.ts'
import { combined, type Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { editsRows, makesRows } from '#web/data/store/operation.ts'
import { chunksOf } from '#web/data/server/request-size.ts'
import { isSetEdit } from '#web/data/store/set-edit.ts'
import { isRecordTable, type RecordTable } from '#web/data/store/record-tables.ts'
import { deleteRecords, restoreRecords } from './delete-records.ts'
import { update, updateAll } from './mutate.ts'
import { changedSince, type Kept, takenBack } from './kept-values.ts'
import { stepWords } from './step-words.ts'
import { type Done, inStep, type Step, stepsOf } from './steps.ts'
import { consequences } from './update-record.ts'

/** What an undo, or doing it again, has done on this device. */
export interface Undone {
  verb: 'Undid' | 'Redid'
  /** What the action did, whose undo this is: 'Renewal 2027 moved to Won'. */
  words: string
  /** What somebody changed since, and was left as it is. */
  kept: readonly Kept[]
  /** The step that does the opposite of this; null: nothing was done, because all was changed since. */
  opposite: Step | null
  /** Resolves with the server's answer, as that of an edit. */
  outcome: Promise<Outcome>
}

/** Undoes a step of this tab, the last one by default. It is on screen before this returns, offline too. Null: there is none. */
export function undoStep(device: Device, step?: Step): Undone | null {
  return turn(device, 'done', 'undone', step)
}

/** Does again what was undone last, or the step that an undo has made. */
export function redoStep(device: Device, step?: Step): Undone | null {
  return turn(device, 'undone', 'done', step)
}

function turn(device: Device, from: 'done' | 'undone', to: 'done' | 'undone', given?: Step): Undone | null {
  const data = openBrand(device).get()
  if (!data) return null
  const steps = stepsOf(data)
  steps[from] = steps[from].filter(({ operations, asks }) => operations.length > 0 || asks)
  const step = given ?? steps[from].at(-1)
  if (!step || !steps[from].includes(step)) return given ? undoDeletesOfOtherBrands(device, given) : null
  const words = (step.words ??= stepWords(data, step))
  const opposite: Step = { operations: [], words }
  steps[from] = steps[from].filter((each) => each !== step)
  steps[to] = [...steps[to], opposite]
  const kept: Kept[] = []
  const outcomes = inStep(data, opposite, () =>
    oppositesOf(step).flatMap((operation) => takeBack(data, operation, kept)),
  )
  const isNothing = outcomes.length === 0
  if (isNothing) steps[to] = steps[to].filter((each) => each !== opposite)
  const verb = from === 'done' ? 'Undid' : 'Redid'
  return { verb, words, kept, opposite: isNothing ? null : opposite, outcome: combined(outcomes) }
}

/** A delete can be undone from its toast after another brand was opened. */
function undoDeletesOfOtherBrands(device: Device, { operations, words = 'Records deleted' }: Step): Undone | null {
  const brandId = openBrand(device).get()?.brandId
  const outcomes = operations.flatMap(({ kind, table, rowIds, brandId: own }) =>
    kind === 'delete' && rowIds && isRecordTable(table) && own !== brandId
      ? [restoreRecords(device, table, rowIds)]
      : [],
  )
  if (outcomes.length === 0) return null
  return { verb: 'Undid', words, kept: [], opposite: null, outcome: combined(outcomes) }
}

/** The operations to take back, the last one first. Edits of rows that the step itself has created go with these rows. */
function oppositesOf({ operations }: Step): Done[] {
  const created = new Set(operations.filter(makesRows).map(({ rowId }) => rowId))
  return operations.filter((each) => !editsRows(each) || !created.has(each.rowId)).toReversed()
}

/** Sends the opposite of an operation, as far as nobody has changed since what it wrote; the rest is added to `kept`. */
function takeBack(data: BrandData, operation: Done, kept: Kept[]): Promise<Outcome>[] {
  const { device } = data
  const { table, kind, rowIds = [operation.rowId] } = operation
  if (!isRecordTable(table)) return []
  if (kind === 'delete') return [restoreRecords(device, table, rowIds)]
  if (editsRows(operation)) return writeBack(data, table, operation, kept)
  const untouched = rowIds.filter((rowId) => {
    const change = changedSince(data, operation, rowId)
    if (change) kept.push(change)
    return !change
  })
  return untouched.length > 0 ? [deleteRecords(device, table, untouched, true)] : []
}

/** What rows get back that had the same before and after the edit. */
interface Group {
  values: Record<string, unknown>
  rowIds: string[]
  isHere: boolean
}

/** Gives rows their values of before the edit: those with the same values in one operation, of a hundred rows at most. */
function writeBack(data: BrandData, table: RecordTable, operation: Done, kept: Kept[]): Promise<Outcome>[] {
  const { device } = data
  const groups = new Map<string, Group>()
  for (const rowId of operation.rowIds ?? [operation.rowId]) {
    const { values, changes, isHere } = takenBack(data, operation, rowId)
    kept.push(...changes)
    if (Object.keys(values).length === 0) continue
    const key = JSON.stringify([values, isHere])
    const group = groups.get(key) ?? { values, rowIds: [], isHere }
    group.rowIds.push(rowId)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap(({ values, rowIds, isHere }) => {
    const preview = consequences(device, table, values)
    const draft = { table, title: operation.title, icon: operation.icon, values, preview, givesWay: true }
    const [rowId = '', ...others] = rowIds
    const isSets = Object.values(values).some(isSetEdit)
    if (isHere && others.length === 0 && !isSets) return [update(device, { ...draft, rowId })]
    const replaced = Object.fromEntries(
      Object.entries(values).map(([field, value]) => [
        field,
        isSetEdit(value) ? value.remove : (operation.values[field] ?? null),
      ]),
    )
    return chunksOf(rowIds).map((ids) => updateAll(device, { ...draft, rowIds: ids, replaced }))
  })
}
