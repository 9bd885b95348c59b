import { describe, expect, test } from 'vitest'
import { isOfNewerShape, operationShape, type StoredOperation, upgradeOperation, withShape } from './operation-shape.ts'
import { testOperation } from './test-operation.ts'

const laterShape = operationShape + 1

describe('an operation of an earlier shape', () => {
  test('an operation of shape 0, which is stored without a shape, is upgraded, and a delete loses the field `tried`', () => {
    const stored: StoredOperation = { ...testOperation({ kind: 'delete' }), tried: true }
    expect(upgradeOperation(stored)).toEqual({ ...testOperation({ kind: 'delete' }), shape: operationShape })
  })

  test('an operation of shape 1 keeps all its fields', () => {
    const stored: StoredOperation = { ...testOperation({ rowIds: ['deal-1', 'deal-2'] }), shape: 1 }
    expect(upgradeOperation(stored)).toEqual({ ...stored, shape: operationShape })
  })

  test('an operation of shape 2 keeps all its fields, such as `givesWay`', () => {
    const stored: StoredOperation = { ...testOperation({ givesWay: true }), shape: 2 }
    expect(upgradeOperation(stored)).toEqual({ ...stored, shape: operationShape })
  })

  test('an operation of shape 3 keeps all its fields, such as the icon `tag`', () => {
    const stored: StoredOperation = { ...testOperation({ icon: 'tag' }), shape: 3 }
    expect(upgradeOperation(stored)).toEqual({ ...stored, shape: operationShape })
  })

  test('an operation of shape 4 keeps all its fields, such as the values of custom fields', () => {
    const stored: StoredOperation = { ...testOperation({ values: { 'custom.tier': 'gold' } }), shape: 4 }
    expect(upgradeOperation(stored)).toEqual({ ...stored, shape: operationShape })
  })

  test('shape 5 is the current shape of an operation', () => {
    expect(operationShape).toBe(5)
    const stored: StoredOperation = { ...testOperation({ also: { 'task-2': null } }), shape: 5 }
    expect(upgradeOperation(stored)).toEqual(stored)
  })

  test('an operation of an earlier shape is copied by the upgrade, and the stored object is not modified', () => {
    const stored: StoredOperation = Object.freeze({ ...testOperation({}), tried: true })
    upgradeOperation(stored)
    expect(stored).toEqual({ ...testOperation({}), tried: true })
  })
})

test('an operation is stored with the number of its shape', () => {
  expect(withShape(testOperation({}))).toEqual({ ...testOperation({}), shape: operationShape })
  expect(isOfNewerShape(withShape(testOperation({})))).toBe(false)
})

describe('an operation of a later shape', () => {
  const laterOperation: StoredOperation = {
    ...testOperation({ id: 'newer', title: 'Split “Data migration”', values: { parts: 2 }, preview: { parts: 2 } }),
    shape: laterShape,
  }

  test('an operation of a later shape keeps its id and title, and no field whose meaning is unknown', () => {
    expect(isOfNewerShape(laterOperation)).toBe(true)
    expect(upgradeOperation(laterOperation)).toMatchObject({
      id: 'newer',
      title: 'Split “Data migration”',
      rowId: 'deal-1',
      state: 'newer',
      values: {},
      preview: {},
    })
  })

  test('an operation of a later shape that names an unknown table concerns no row', () => {
    const ofUnknownTable = { ...laterOperation, table: 'invoices' } as unknown as StoredOperation
    expect(upgradeOperation(laterOperation).rowIds).toEqual(['deal-1'])
    expect(upgradeOperation(ofUnknownTable).rowIds).toEqual([])
  })
})
