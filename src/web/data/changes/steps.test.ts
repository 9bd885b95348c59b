import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { forgetAsked, noteAsked, questionBefore } from './asked-steps.ts'
import { inStep, noteOperation, type Step, stepsOf } from './steps.ts'

const one = testOperation({ id: 'one' })
const two = testOperation({ id: 'two' })
const idsOf = (steps: readonly Step[]) => steps.map(({ operations }) => operations.map(({ rowId }) => rowId))
const ofRow = (rowId: string) => testOperation({ rowId })

test('operations that are made at once are one step; one that is made after a pause is the next', async () => {
  const { data } = await openLoneTab()
  noteOperation(data, ofRow('a'))
  noteOperation(data, ofRow('b'))
  await Promise.resolve()
  noteOperation(data, ofRow('c'))
  expect(idsOf(stepsOf(data).done)).toEqual([['a', 'b'], ['c']])
})

test('a new step is the end of what could be done again; further operations of the step are not', async () => {
  const { data } = await openLoneTab()
  const undone: Step = { operations: [one] }
  stepsOf(data).undone = [undone]
  noteOperation(data, one)
  expect(stepsOf(data).undone).toEqual([])
  stepsOf(data).undone = [undone]
  noteOperation(data, two)
  expect(stepsOf(data).undone).toEqual([undone])
})

test('the last 50 steps are kept', async () => {
  const { data } = await openLoneTab()
  for (let number = 1; number <= 52; number++) {
    noteOperation(data, ofRow(`${number}`))
    await Promise.resolve()
  }
  const kept = idsOf(stepsOf(data).done)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, ['3'], ['52']])
})

test('an operation without effect is forgotten, and the rest of its step stays', async () => {
  const { data } = await openLoneTab()
  noteOperation(data, ofRow('a'))
  const forget = noteOperation(data, ofRow('b'))
  forget()
  expect(idsOf(stepsOf(data).done)).toEqual([['a']])
})

test('what an action does before its first pause belongs to the step that it is given, and nothing after it', async () => {
  const { data } = await openLoneTab()
  const step: Step = { operations: [] }
  const result = inStep(data, step, () => {
    noteOperation(data, ofRow('a'))
    return 'done'
  })
  noteOperation(data, ofRow('b'))
  expect(result).toBe('done')
  expect(idsOf([step])).toEqual([['a']])
  expect(idsOf(stepsOf(data).done)).toEqual([['a'], ['b']])
})

test('an action that fails leaves no step open', async () => {
  const { data } = await openLoneTab()
  const fail = () => {
    throw new Error('no')
  }
  expect(() => inStep(data, { operations: [] }, fail)).toThrow('no')
  expect(stepsOf(data).open).toBeNull()
  expect(inStep(null, { operations: [] }, () => 5)).toBe(5)
})

test('a step that belongs to what was undone is noted there alone', async () => {
  const { data } = await openLoneTab()
  const opposite: Step = { operations: [] }
  stepsOf(data).undone = [opposite]
  inStep(data, opposite, () => noteOperation(data, ofRow('a')))
  expect(stepsOf(data).done).toEqual([])
  expect(idsOf(stepsOf(data).undone)).toEqual([['a']])
})

test('an action of the server asks before its undo, once', async () => {
  const { device, data } = await openLoneTab()
  const asked: string[] = []
  stepsOf(data).undone = [{ operations: [one] }]
  noteAsked(device, 'import', () => asked.push('import'))
  expect(stepsOf(data).undone).toEqual([])
  questionBefore(device)?.()
  expect(asked).toEqual(['import'])
  noteAsked(device, 'import', () => asked.push('again'))
  expect(stepsOf(data).done).toHaveLength(1)
  questionBefore(device)?.()
  expect(asked).toEqual(['import', 'again'])
  forgetAsked(device, 'import')
  expect(questionBefore(device)).toBeUndefined()
})

test('the question belongs to its step: not to a later one, and to it again when the later one is empty', async () => {
  const { device, data } = await openLoneTab()
  const ask = () => {}
  noteAsked(device, 'import', ask)
  const [asking] = stepsOf(data).done
  const forget = noteOperation(data, one)
  expect(questionBefore(device)).toBeUndefined()
  expect(questionBefore(device, asking)).toBe(ask)
  forgetAsked(device, 'another')
  forget()
  expect(questionBefore(device)).toBe(ask)
})

test('without an open brand nothing is noted and nothing asked', async () => {
  const { device, data } = await openLoneTab()
  data.close()
  noteAsked(device, 'import', () => {})
  forgetAsked(device, 'import')
  expect(questionBefore(device)).toBeUndefined()
  expect(stepsOf(data).done).toEqual([])
})
