import { expect, test } from 'vitest'
import type { AnyRow } from '#web/data/server/tables.ts'
import { Collection } from '#web/data/store/collection.ts'
import { operationsByRow } from '#web/data/store/preview.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'
import { OwnChanges } from './own-changes.ts'

/**
 * Makes a collection of deals and its `OwnChanges`. `wait` sets the ids of the waiting operations, by row id. `put` stores a server row. `versions`
 * returns the ids and versions in `before`.
 */
function trackedDeals() {
  const rows = new Collection<AnyRow>()
  const own = new OwnChanges(rows)
  const wait = (waiting: Record<string, string[]>, state: 'waiting' | 'failed' = 'waiting') => {
    const operations = Object.entries(waiting).flatMap(([rowId, ids]) =>
      ids.map((id) => testOperation({ id, rowId, state })),
    )
    rows.setOperations(operationsByRow(operations, 'acme', 'deals'))
    own.follow()
  }
  const put = (id: string, version: number) => rows.write([testDeal({ id, version })])
  const versions = () => Array.from(own.before, ([id, row]) => [id, row?.version])
  return { own, wait, put, versions }
}

test('a changed row is remembered as it was before the first change, until an answer includes all changes', () => {
  const { own, wait, put, versions } = trackedDeals()
  put('a', 1)
  wait({ a: ['move'] })
  put('a', 2)
  wait({ a: ['move', 'rename'] })
  expect(versions()).toEqual([['a', 1]])
  wait({})
  const request = own.begin()
  expect(own.isUncertain(request)).toBe(false)
  own.end(request, true)
  expect(versions()).toEqual([])
})

test('a row that is changed again during a request is remembered as the answer has it', () => {
  const { own, wait, put, versions } = trackedDeals()
  put('a', 1)
  wait({ a: ['move'] })
  put('a', 2)
  wait({})
  const request = own.begin()
  wait({ a: ['second move'] })
  put('a', 3)
  wait({})
  expect(own.isUncertain(request)).toBe(true)
  own.end(request, true)
  expect(versions()).toEqual([['a', 2]])
})

test('an answer that is not used leaves the changes as they are', () => {
  const { own, wait, put, versions } = trackedDeals()
  put('a', 1)
  wait({ a: ['move'] })
  wait({})
  own.end(own.begin(), false)
  expect(versions()).toEqual([['a', 1]])
})

test('an answer is uncertain if a change was on its way, was replaced by another one, or was sent meanwhile', () => {
  const { own, wait, put } = trackedDeals()
  put('a', 1)
  wait({ a: ['move'] })
  expect([own.isUncertain(own.begin()), [...own.waiting]]).toEqual([true, ['a']])
  const replaced = own.begin()
  wait({ a: ['rename'] })
  wait({ a: ['rename'] }, 'failed')
  expect([own.isUncertain(replaced), [...own.waiting]]).toEqual([true, []])
  expect(own.isUncertain(own.begin())).toBe(false)
})

test('a row that the server does not have is remembered as missing', () => {
  const { wait, versions } = trackedDeals()
  wait({ new: ['insert'] })
  expect(versions()).toEqual([['new', undefined]])
})
