import type { CustomField } from '#web/data/server/rows.ts'
import type { FileFailure } from './file-failure.ts'
import type { FileSummary } from './file-summary.ts'
import { type ColumnMap, mapWithFields, type Target, withColumn } from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'
import type { Report } from './report.ts'
import type { CheckedFile } from './run-import.ts'
import type { Progress } from './tally.ts'

/** The state of the page: one of five. */
export type ImportState =
  | { step: 'idle' }
  | { step: 'running'; file: File; progress: Progress | null; stopping: boolean }
  | ColumnsStep
  | { step: 'unreadable'; file: File; failure: FileFailure }
  | { step: 'ended'; file: File; report: Report }

/** The step in which the person checks the columns. */
export interface ColumnsStep {
  step: 'columns'
  checked: CheckedFile
  columns: ColumnMap
  /** What the person chose, in order. Applied again if the columns are guessed again. */
  choices: readonly ColumnChoice[]
  /** Whether the person wants the first row as a contact. The file is read again if its summary differs. */
  headless: boolean
}

/** The field that a person chose for a column. Null: the column is left out. */
interface ColumnChoice {
  index: number
  field: Target | null
}

export type ImportChange =
  | { kind: 'state'; state: ImportState }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'stopping' }
  /** `fields`: the current custom fields. */
  | { kind: 'choice'; choice: ColumnChoice; fields: readonly CustomField[] }
  | { kind: 'first-row'; headless: boolean }
  /** The file was read again. `fields`: the custom fields with which its columns were guessed. */
  | { kind: 'summary'; open: OpenFile; summary: FileSummary; fields: readonly CustomField[] }

/** Returns the state after a change. A change that does not belong to the current step has no effect. */
export function changeImport(state: ImportState, change: ImportChange): ImportState {
  if (change.kind === 'state') return change.state
  if (state.step === 'columns') return changeColumns(state, change)
  if (state.step !== 'running') return state
  if (change.kind === 'progress') return { ...state, progress: change.progress }
  return change.kind === 'stopping' ? { ...state, stopping: true } : state
}

function changeColumns(state: ColumnsStep, change: ImportChange): ColumnsStep {
  if (change.kind === 'first-row') return { ...state, headless: change.headless }
  if (change.kind === 'choice') {
    const { choice, fields } = change
    const current = withFields(state, fields)
    const columns = withColumn(current.columns, choice.index, choice.field)
    return { ...current, columns, choices: [...current.choices, choice] }
  }
  if (change.kind !== 'summary' || state.checked.open !== change.open) return state
  const { summary, fields } = change
  const columnsWithChoices = state.choices.reduce(
    (map, { index, field }) => withColumn(map, index, field),
    summary.columns,
  )
  // A chosen custom field may have been deleted.
  const columns = mapWithFields(columnsWithChoices, summary.header, fields, fields)
  return { ...state, checked: { ...state.checked, summary, fields }, columns }
}

/**
 * Returns the columns step with the current custom fields: a colleague, or the person in another tab, may change them while the step is on
 * screen. Returns other states unchanged.
 */
export function withFields<State extends ImportState>(state: State, fields: readonly CustomField[]): State {
  if (state.step !== 'columns' || state.checked.fields === fields) return state
  const { checked } = state
  const columns = mapWithFields(state.columns, checked.summary.header, checked.fields, fields)
  return { ...state, checked: { ...checked, fields }, columns }
}

/** Whether the file is being read again. Nothing can be imported meanwhile. */
export function isBeingRead({ checked, headless }: ColumnsStep): boolean {
  return headless !== checked.summary.headless
}
