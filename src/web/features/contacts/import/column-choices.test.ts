import { expect, test } from 'vitest'
import { withChoices } from './column-choices.ts'
import { type ColumnMap, noColumns, withColumn } from './map-columns.ts'

test("if the columns are guessed again, a person's choices stay, also a column that was left out", () => {
  const before: ColumnMap = { ...noColumns, company: 1, title: 3, 'custom.a': 4 }
  const next: ColumnMap = { ...noColumns, phone: 2, title: 3 }
  expect(withChoices(next, before, before)).toEqual(next)
  expect(withChoices(next, before, withColumn(before, 0, 'name'))).toEqual({ ...next, name: 0 })
  expect(withChoices(next, before, withColumn(before, 3, null))).toEqual({ ...next, title: -1 })
  // A chosen field takes its column from the guessed one.
  expect(withChoices(next, before, withColumn(before, 2, 'custom.b'))).toEqual({ ...next, phone: -1, 'custom.b': 2 })
})
