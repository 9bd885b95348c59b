import { expect, test } from 'vitest'
import type { AnyRow } from '#web/data/server/tables.ts'
import { Collection } from '#web/data/store/collection.ts'
import { operationsByRow } from '#web/data/store/preview.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'
import { OwnChanges } from './own-changes.ts'

/**
 * Makes a collection of deals and its `OwnChanges`. `setWaiting` sets the ids of the waiting operations, by row id. `putRow` stores a server row.
 * `versions` returns the ids and versions in `before`.
 */
function trackedDeals() {
  const rows = new Collection<AnyRow>()
  const ownChanges = new OwnChanges(rows)
  const setWaiting = (waiting: Record<string, string[]>, state: 'waiting' | 'failed' = 'waiting') => {
    const operations = Object.entries(waiting).flatMap(([rowId, ids]) =>
      ids.map((id) => testOperation({ id, rowId, state })),
    )
    rows.setOperations(operationsByRow(operations, 'acme', 'deals'))
    ownChanges.follow()
  }
  const putRow = (id: string, version: number) => rows.write([testDeal({ id, version })])
  const versions = () => Array.from(ownChanges.before, ([id, row]) => [id, row?.version])
  return { ownChanges, setWaiting, putRow, versions }
}

test('a changed row is remembered as it was before the first change, until an answer includes all changes', () => {
  const { ownChanges, setWaiting, putRow, versions } = trackedDeals()
  putRow('a', 1)
  setWaiting({ a: ['move'] })
  putRow('a', 2)
  setWaiting({ a: ['move', 'rename'] })
  expect(versions()).toEqual([['a', 1]])
  setWaiting({})
  const request = ownChanges.begin()
  expect(ownChanges.isUncertain(request)).toBe(false)
  ownChanges.end(request, true)
  expect(versions()).toEqual([])
})

test('a row that is changed again during a request is remembered as the answer has it', () => {
  const { ownChanges, setWaiting, putRow, versions } = trackedDeals()
  putRow('a', 1)
  setWaiting({ a: ['move'] })
  putRow('a', 2)
  setWaiting({})
  const request = ownChanges.begin()
  setWaiting({ a: ['second move'] })
  putRow('a', 3)
  setWaiting({})
  expect(ownChanges.isUncertain(request)).toBe(true)
  ownChanges.end(request, true)
  expect(versions()).toEqual([['a', 2]])
})

test('an answer that is not used leaves the changes as they are', () => {
  const { ownChanges, setWaiting, putRow, versions } = trackedDeals()
  putRow('a', 1)
  setWaiting({ a: ['move'] })
  setWaiting({})
  ownChanges.end(ownChanges.begin(), false)
  expect(versions()).toEqual([['a', 1]])
})

test('an answer is uncertain if a change was on its way, was replaced by another one, or was sent meanwhile', () => {
  const { ownChanges, setWaiting, putRow } = trackedDeals()
  putRow('a', 1)
  setWaiting({ a: ['move'] })
  expect([ownChanges.isUncertain(ownChanges.begin()), [...ownChanges.waiting]]).toEqual([true, ['a']])
  const replaced = ownChanges.begin()
  setWaiting({ a: ['rename'] })
  setWaiting({ a: ['rename'] }, 'failed')
  expect([ownChanges.isUncertain(replaced), [...ownChanges.waiting]]).toEqual([true, []])
  expect(ownChanges.isUncertain(ownChanges.begin())).toBe(false)
})

test('a row that the server does not have is remembered as missing', () => {
  const { setWaiting, versions } = trackedDeals()
  setWaiting({ new: ['insert'] })
  expect(versions()).toEqual([['new', undefined]])
})
