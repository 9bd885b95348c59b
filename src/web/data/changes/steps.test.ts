import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { removeServerStep, recordServerStep, serverUndoOf } from './server-steps.ts'
import { runInStep, recordOperation, type Step, stepsOf } from './steps.ts'

const firstOperation = testOperation({ id: 'one' })
const secondOperation = testOperation({ id: 'two' })
const idsOf = (steps: readonly Step[]) => steps.map(({ operations }) => operations.map(({ rowId }) => rowId))
const operationOn = (rowId: string) => testOperation({ rowId })

test('operations that are made without an await in between are one step; an operation after an await starts another step', async () => {
  const { data } = await openLoneTab()
  recordOperation(data, operationOn('a'))
  recordOperation(data, operationOn('b'))
  await Promise.resolve()
  recordOperation(data, operationOn('c'))
  expect(idsOf(stepsOf(data).done)).toEqual([['a', 'b'], ['c']])
})

test('the first operation of a new step clears the steps that can be redone; later operations of the step do not', async () => {
  const { data } = await openLoneTab()
  const undone: Step = { operations: [firstOperation] }
  stepsOf(data).undone = [undone]
  recordOperation(data, firstOperation)
  expect(stepsOf(data).undone).toEqual([])
  stepsOf(data).undone = [undone]
  recordOperation(data, secondOperation)
  expect(stepsOf(data).undone).toEqual([undone])
})

test('the last 50 steps are kept', async () => {
  const { data } = await openLoneTab()
  for (let number = 1; number <= 52; number++) {
    recordOperation(data, operationOn(`${number}`))
    await Promise.resolve()
  }
  const kept = idsOf(stepsOf(data).done)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, ['3'], ['52']])
})

test('an operation without effect is removed, and the rest of its step stays', async () => {
  const { data } = await openLoneTab()
  recordOperation(data, operationOn('a'))
  const removeFromStep = recordOperation(data, operationOn('b'))
  removeFromStep()
  expect(idsOf(stepsOf(data).done)).toEqual([['a']])
})

test('operations before the first await of an action belong to the given step, and later ones do not', async () => {
  const { data } = await openLoneTab()
  const step: Step = { operations: [] }
  const result = runInStep(data, step, () => {
    recordOperation(data, operationOn('a'))
    return 'done'
  })
  recordOperation(data, operationOn('b'))
  expect(result).toBe('done')
  expect(idsOf([step])).toEqual([['a']])
  expect(idsOf(stepsOf(data).done)).toEqual([['a'], ['b']])
})

test('an action that fails leaves no step open', async () => {
  const { data } = await openLoneTab()
  const fail = () => {
    throw new Error('no')
  }
  expect(() => runInStep(data, { operations: [] }, fail)).toThrow('no')
  expect(stepsOf(data).open).toBeNull()
  expect(runInStep(null, { operations: [] }, () => 5)).toBe(5)
})

test('operations of an undo are recorded only in the step that redoes it', async () => {
  const { data } = await openLoneTab()
  const opposite: Step = { operations: [] }
  stepsOf(data).undone = [opposite]
  runInStep(data, opposite, () => recordOperation(data, operationOn('a')))
  expect(stepsOf(data).done).toEqual([])
  expect(idsOf(stepsOf(data).undone)).toEqual([['a']])
})

test('an action of the server is recorded once, and its undo is the function that was recorded last', async () => {
  const { device, data } = await openLoneTab()
  const calls: string[] = []
  stepsOf(data).undone = [{ operations: [firstOperation] }]
  recordServerStep(device, 'import', () => calls.push('import'))
  expect(stepsOf(data).undone).toEqual([])
  serverUndoOf(device)?.()
  expect(calls).toEqual(['import'])
  recordServerStep(device, 'import', () => calls.push('again'))
  expect(stepsOf(data).done).toHaveLength(1)
  serverUndoOf(device)?.()
  expect(calls).toEqual(['import', 'again'])
  removeServerStep(device, 'import')
  expect(serverUndoOf(device)).toBeUndefined()
})

test('the undo of an action of the server is returned only if this action is undone next, also if an empty later step was removed', async () => {
  const { device, data } = await openLoneTab()
  const run = () => {}
  recordServerStep(device, 'import', run)
  const [serverStep] = stepsOf(data).done
  const removeFromStep = recordOperation(data, firstOperation)
  expect(serverUndoOf(device)).toBeUndefined()
  expect(serverUndoOf(device, serverStep)).toBe(run)
  removeServerStep(device, 'another')
  removeFromStep()
  expect(serverUndoOf(device)).toBe(run)
})

test('without an open brand no action of the server is recorded', async () => {
  const { device, data } = await openLoneTab()
  data.close()
  recordServerStep(device, 'import', () => {})
  removeServerStep(device, 'import')
  expect(serverUndoOf(device)).toBeUndefined()
  expect(stepsOf(data).done).toEqual([])
})
