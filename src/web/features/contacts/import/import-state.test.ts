import { expect, test } from 'vitest'
import type { CustomField } from '#web/data/server/rows.ts'
import type { FieldName } from './column-words.ts'
import type { FileSummary } from './file-summary.ts'
import { changeImport, type ColumnsStep, type ImportChange, isBeingRead } from './import-state.ts'
import { noColumns } from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'
import { testField } from './test-field.ts'

function openFile(): OpenFile {
  const unused = () => Promise.reject(new Error('not part of this test'))
  return {
    opened: { ok: true, summary: summaryOf(false, {}) },
    readFirstRowAs: unused,
    next: unused,
    firstRows: unused,
    correctionFile: unused,
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
    tooWide,
    repeated: 0,
    samples: [],
  }
}

const open = openFile()

function columnsStep(columns: Partial<Record<FieldName, number>>, fields: readonly CustomField[] = []): ColumnsStep {
  const summary = summaryOf(false, columns)
  const checked = { file: new File([], 'list.csv'), open, summary, fields }
  return { step: 'columns', checked, columns: summary.columns, choices: [], headless: false }
}

function after(state: ColumnsStep, ...changes: ImportChange[]): ColumnsStep {
  const end = changes.reduce(changeImport, state)
  if (end.step !== 'columns') throw new Error(`the step is ${end.step}`)
  return end
}

const choose = (index: number, field: ColumnsStep['choices'][number]['field']) =>
  ({ kind: 'choice', choice: { index, field }, fields: [] }) as const
const readAs = (headless: boolean, columns: Partial<Record<FieldName, number>>, fields: readonly CustomField[] = []) =>
  ({ kind: 'summary', open, summary: summaryOf(headless, columns), fields }) as const

test('a choice stays when the file is read again, also if the new guess is the same', () => {
  const chosen = after(columnsStep({}), choose(1, 'phone'), readAs(true, { phone: 1 }), readAs(false, {}))
  expect(chosen.columns).toEqual({ ...noColumns, phone: 1 })
  const leftOut = after(columnsStep({ phone: 1 }), choose(1, null), readAs(true, {}), readAs(false, { phone: 1 }))
  expect(leftOut.columns).toEqual(noColumns)
})

test('a choice between the end of a reading and its display does not undo the reading', () => {
  const end = after(
    columnsStep({}),
    { kind: 'first-row', headless: true },
    readAs(true, { phone: 1 }),
    choose(0, 'name'),
  )
  expect(isBeingRead(end)).toBe(false)
  expect(end.columns).toEqual({ ...noColumns, phone: 1, name: 0 })
})

test('a chosen custom field that was deleted gets no column after the file was read again', () => {
  const vip = testField('vip', 'VIP')
  const chosen = after(columnsStep({}, [vip]), {
    kind: 'choice',
    choice: { index: 0, field: 'custom.vip' },
    fields: [vip],
  })
  expect(chosen.columns).toEqual({ ...noColumns, 'custom.vip': 0 })
  expect(after(chosen, readAs(true, {}, [])).columns).toEqual(noColumns)
})

test('the result of another file is ignored', () => {
  const step = columnsStep({})
  expect(changeImport(step, { ...readAs(true, { phone: 1 }), open: openFile() })).toBe(step)
})
