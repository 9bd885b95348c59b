import { expect, test } from 'vitest'
import type { CustomField } from '#web/data/server/rows.ts'
import type { FieldName } from './column-words.ts'
import type { FileSummary } from './file-summary.ts'
import { changeImport, type ColumnsStep, type ImportChange, isBeingRead } from './import-state.ts'
import { noColumns } from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'
import { testField } from './test-field.ts'

function openFile(): OpenFile {
  const rejectUnused = () => Promise.reject(new Error('not part of this test'))
  return {
    opened: { ok: true, summary: summaryOf(false, {}) },
    readFirstRowAs: rejectUnused,
    next: rejectUnused,
    firstRows: rejectUnused,
    unreadableValues: rejectUnused,
    correctionFile: rejectUnused,
    close: () => {},
  }
}

function summaryOf(headless: boolean, columns: Partial<Record<FieldName, number>>): FileSummary {
  const tooWide = { count: 0, first: 0 }
  const guessed = { ...noColumns, ...columns }
  const header = ['Kunde', 'Nr']
  return {
    rows: 1,
    header,
    columnCount: 2,
    columns: guessed,
    understood: false,
    headless,
    rowsAbove: 0,
    tooWide,
    repeated: 0,
    dateOrders: {},
    decimalCommas: new Map(),
    samples: [],
  }
}

const open = openFile()

function columnsStep(columns: Partial<Record<FieldName, number>>, fields: readonly CustomField[] = []): ColumnsStep {
  const summary = summaryOf(false, columns)
  const checked = { file: new File([], 'list.csv'), open, summary, fields }
  return { step: 'columns', checked, columns: summary.columns, choices: [], headless: false }
}

function afterChanges(state: ColumnsStep, ...changes: ImportChange[]): ColumnsStep {
  const endState = changes.reduce(changeImport, state)
  if (endState.step !== 'columns') throw new Error(`the step is ${endState.step}`)
  return endState
}

const choiceOf = (index: number, field: ColumnsStep['choices'][number]['field']) =>
  ({ kind: 'choice', choice: { index, field }, fields: [] }) as const
const summaryReadAs = (
  headless: boolean,
  columns: Partial<Record<FieldName, number>>,
  fields: readonly CustomField[] = [],
) => ({ kind: 'summary', open, summary: summaryOf(headless, columns), fields }) as const

test('a choice stays when the file is read again, also if the new guess is the same', () => {
  const chosenState = afterChanges(
    columnsStep({}),
    choiceOf(1, 'phone'),
    summaryReadAs(true, { phone: 1 }),
    summaryReadAs(false, {}),
  )
  expect(chosenState.columns).toEqual({ ...noColumns, phone: 1 })
  const leftOutState = afterChanges(
    columnsStep({ phone: 1 }),
    choiceOf(1, null),
    summaryReadAs(true, {}),
    summaryReadAs(false, { phone: 1 }),
  )
  expect(leftOutState.columns).toEqual(noColumns)
})

test('a choice of a column after the file was read again keeps the new summary', () => {
  const endState = afterChanges(
    columnsStep({}),
    { kind: 'first-row', headless: true },
    summaryReadAs(true, { phone: 1 }),
    choiceOf(0, 'name'),
  )
  expect(isBeingRead(endState)).toBe(false)
  expect(endState.columns).toEqual({ ...noColumns, phone: 1, name: 0 })
})

test('a chosen custom field that was deleted gets no column after the file was read again', () => {
  const vip = testField('vip', 'VIP')
  const chosenState = afterChanges(columnsStep({}, [vip]), {
    kind: 'choice',
    choice: { index: 0, field: 'custom.vip' },
    fields: [vip],
  })
  expect(chosenState.columns).toEqual({ ...noColumns, 'custom.vip': 0 })
  expect(afterChanges(chosenState, summaryReadAs(true, {}, [])).columns).toEqual(noColumns)
})

test('the result of another file is ignored', () => {
  const step = columnsStep({})
  expect(changeImport(step, { ...summaryReadAs(true, { phone: 1 }), open: openFile() })).toBe(step)
})
