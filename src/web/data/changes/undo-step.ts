import type { Device } from '#web/data/browser/device.ts'
import { combinedOutcome, type Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { editsRows, createsRows } from '#web/data/store/operation.ts'
import { chunksOf } from '#web/data/server/request-size.ts'
import { isSetEdit } from '#web/data/store/set-edit.ts'
import { isRecordTable, type RecordTable } from '#web/data/store/record-tables.ts'
import { deleteRecords, restoreRecords } from './delete-records.ts'
import { update, updateAll } from './mutate.ts'
import { obstacleToDeletion, type SkippedUndo, undoValuesOf } from './undo-values.ts'
import { stepWords } from './step-words.ts'
import { type DoneOperation, runInStep, type Step, stepsOf } from './steps.ts'
import { fieldsSetByDatabase } from './update-record.ts'

/** What an undo or a redo has done on this device. */
export interface UndoResult {
  verb: 'Undid' | 'Redid'
  /** The words that name the undone action: 'Renewal 2027 moved to Won'. */
  words: string
  /** The rows and fields that were left as they are, because somebody has changed or deleted them since. */
  skipped: readonly SkippedUndo[]
  /** The step that reverts this undo or redo. Null if nothing was left to revert, or if the step is of another brand. */
  opposite: Step | null
  /** Resolves with the outcome of the undo, as for an edit. */
  outcome: Promise<Outcome>
}

/**
 * Undoes a step of this tab. By default, that is the last one. Screens show the result before this function returns, also offline. Of a step
 * of another brand, only deletes are undone. Returns null if no brand is open, if there is no step, or if the step was undone before.
 */
export function undoStep(device: Device, step?: Step): UndoResult | null {
  return revertStep(device, 'done', 'undone', step)
}

/** Redoes the given step, which an undo returned as `opposite`. By default, redoes the step that was undone last. Returns null as `undoStep` does. */
export function redoStep(device: Device, step?: Step): UndoResult | null {
  return revertStep(device, 'undone', 'done', step)
}

function revertStep(device: Device, from: 'done' | 'undone', to: 'done' | 'undone', given?: Step): UndoResult | null {
  const data = openBrand(device).get()
  if (!data) return null
  const steps = stepsOf(data)
  steps[from] = steps[from].filter(({ operations, onServer }) => operations.length > 0 || onServer)
  const step = given ?? steps[from].at(-1)
  const verb = from === 'done' ? 'Undid' : 'Redid'
  if (!step || !steps[from].includes(step)) return given ? revertDeletesOfOtherBrands(device, verb, given) : null
  const { words, names } = stepWords(data, step)
  const opposite: Step = { operations: [], words, names }
  steps[from] = steps[from].filter((each) => each !== step)
  steps[to] = [...steps[to], opposite]
  const skipped: SkippedUndo[] = []
  const outcomes = runInStep(data, opposite, () =>
    operationsToRevert(step).flatMap((operation) => revertOperation(data, operation, skipped)),
  )
  const hasNoEffect = outcomes.length === 0
  if (hasNoEffect) steps[to] = steps[to].filter((each) => each !== opposite)
  return { verb, words, skipped, opposite: hasNoEffect ? null : opposite, outcome: combinedOutcome(outcomes) }
}

/**
 * Restores the records that a step of another brand has deleted. A toast still offers this after the other brand was opened. The delete was made
 * by the user ('Undo' restores the records) or by the undo of a creation ('Redo' restores them). Other operations are not reverted.
 */
function revertDeletesOfOtherBrands(
  device: Device,
  verb: UndoResult['verb'],
  { operations, words = 'Records deleted' }: Step,
): UndoResult | null {
  const brandId = openBrand(device).get()?.brandId
  const outcomes = operations.flatMap(({ kind, table, rowIds, brandId: operationBrandId }) =>
    kind === 'delete' && rowIds && isRecordTable(table) && operationBrandId !== brandId
      ? [restoreRecords(device, table, rowIds)]
      : [],
  )
  if (outcomes.length === 0) return null
  return { verb, words, skipped: [], opposite: null, outcome: combinedOutcome(outcomes) }
}

/**
 * Returns the operations of a step that must be reverted, the last one first. Edits of rows that the step itself created are left out,
 * because the undo deletes these rows.
 */
function operationsToRevert({ operations }: Step): DoneOperation[] {
  const created = new Set(operations.filter(createsRows).map(({ rowId }) => rowId))
  return operations.filter((each) => !editsRows(each) || !created.has(each.rowId)).toReversed()
}

/** Makes the operations that revert another operation. Skips values and rows that somebody has changed since, and adds them to `skipped`. */
function revertOperation(data: BrandData, operation: DoneOperation, skipped: SkippedUndo[]): Promise<Outcome>[] {
  const { device } = data
  const { table, kind, rowIds = [operation.rowId] } = operation
  if (!isRecordTable(table)) return []
  if (kind === 'delete') return [restoreRecords(device, table, rowIds)]
  if (editsRows(operation)) return revertEdit(data, table, operation, skipped)
  const untouched = rowIds.filter((rowId) => {
    const change = obstacleToDeletion(data, operation, rowId)
    if (change) skipped.push(change)
    return !change
  })
  return untouched.length > 0 ? [deleteRecords(device, table, untouched, true)] : []
}

/** Rows in which an undo restores the same values. */
interface Group {
  values: Record<string, unknown>
  rowIds: string[]
  /** As in `UndoValues`. */
  isHere: boolean
}

/** The maximum number of deals whose closing moments an undo restores. Each moment needs a request of its own. */
const maxRestoredDays = 50
const daysNotRestored = `Closing days are restored for ${maxRestoredDays} deals at most`

/** Restores the values from before an edit. Rows that get the same values back share an operation of at most a hundred rows. */
function revertEdit(
  data: BrandData,
  table: RecordTable,
  operation: DoneOperation,
  skipped: SkippedUndo[],
): Promise<Outcome>[] {
  const { device } = data
  const groups = new Map<string, Group>()
  const { rowIds = [operation.rowId] } = operation
  for (const rowId of rowIds) {
    const { values, skipped: skippedInRow, isHere } = undoValuesOf(data, operation, rowId)
    skipped.push(...skippedInRow)
    if (Object.keys(values).length === 0) continue
    // The deal was moved out of a closed stage. Without its former closing moment, the database would close it now.
    const closedAt = (operation.bases?.[rowId] ?? operation.base).closed_at
    if ('stage_id' in values && closedAt && !operation.preview.closed_at) {
      if (rowIds.length <= maxRestoredDays) values.closed_at = closedAt
      else if (!skipped.some(({ words }) => words === daysNotRestored)) skipped.push({ rowId, words: daysNotRestored })
    }
    const key = JSON.stringify([values, isHere])
    const group = groups.get(key) ?? { values, rowIds: [], isHere }
    group.rowIds.push(rowId)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap(({ values, rowIds, isHere }) => {
    const preview = fieldsSetByDatabase(device, table, values)
    const edit = { table, title: operation.title, icon: operation.icon, values, preview, givesWay: true }
    const [rowId = '', ...others] = rowIds
    const hasSetEdits = Object.values(values).some(isSetEdit)
    if (isHere && others.length === 0 && !hasSetEdits) return [update(device, { ...edit, rowId })]
    const replaced = Object.fromEntries(
      Object.entries(values).map(([field, value]) => [
        field,
        isSetEdit(value) ? value.remove : (operation.values[field] ?? null),
      ]),
    )
    return chunksOf(rowIds).map((ids) => updateAll(device, { ...edit, rowIds: ids, replaced }))
  })
}
