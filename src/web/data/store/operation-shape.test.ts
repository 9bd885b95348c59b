import { describe, expect, test } from 'vitest'
import { isOfNewerShape, operationShape, type StoredOperation, upgradeOperation, withShape } from './operation-shape.ts'
import { testOperation } from './test-operation.ts'

const later = operationShape + 1

describe('an operation of an earlier shape', () => {
  test('0: it had no version, and a delete said whether it was tried', () => {
    const stored: StoredOperation = { ...testOperation({ kind: 'delete' }), tried: true }
    expect(upgradeOperation(stored)).toEqual({ ...testOperation({ kind: 'delete' }), shape: 1 })
  })

  test('1: is the shape of today', () => {
    expect(operationShape).toBe(1)
    const stored: StoredOperation = { ...testOperation({ rowIds: ['deal-1', 'deal-2'] }), shape: 1 }
    expect(upgradeOperation(stored)).toEqual(stored)
  })

  test('is not changed itself', () => {
    const stored: StoredOperation = Object.freeze({ ...testOperation({}), tried: true })
    upgradeOperation(stored)
    expect(stored).toEqual({ ...testOperation({}), tried: true })
  })
})

test('what is written says which shape it has', () => {
  expect(withShape(testOperation({}))).toEqual({ ...testOperation({}), shape: operationShape })
  expect(isOfNewerShape(withShape(testOperation({})))).toBe(false)
})

describe('an operation of a later shape', () => {
  const newer: StoredOperation = {
    ...testOperation({ id: 'newer', title: 'Split “Data migration”', values: { parts: 2 }, preview: { parts: 2 } }),
    shape: later,
  }

  test('is told by its name, and nothing else of it is taken for known', () => {
    expect(isOfNewerShape(newer)).toBe(true)
    expect(upgradeOperation(newer)).toMatchObject({
      id: 'newer',
      title: 'Split “Data migration”',
      rowId: 'deal-1',
      state: 'newer',
      values: {},
      preview: {},
    })
  })

  test('of a table that is not known here concerns no row', () => {
    const unknown = { ...newer, table: 'invoices' } as unknown as StoredOperation
    expect(upgradeOperation(newer).rowIds).toEqual(['deal-1'])
    expect(upgradeOperation(unknown).rowIds).toEqual([])
  })
})
