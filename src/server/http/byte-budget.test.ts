import { expect, it } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

const createBudget = () => new ByteBudget({ totalBytes: 100, bytesPerKey: 60, smallRequestBytes: 10 })

it('the byte budget limits all requests of one key together', () => {
  const budget = createBudget()
  const [firstRequest, secondRequest] = [budget.hold('ana'), budget.hold('ana')]
  expect([firstRequest.take(40), secondRequest.take(21), secondRequest.take(20)]).toEqual([true, false, true])
  firstRequest.release()
  expect(secondRequest.take(40)).toBe(true)
  expect(budget.bytes).toBe(60)
})

it('the byte budget limits all keys together, and lets small requests exceed this limit by half', () => {
  const budget = createBudget()
  const [ana, bo] = [budget.hold('ana'), budget.hold('bo')]
  expect([ana.take(60), bo.take(50), bo.take(40)]).toEqual([true, false, true])
  const areTaken = Array.from({ length: 6 }, (_, i) => budget.hold(`small ${i}`).take(10))
  expect(areTaken).toEqual([true, true, true, true, true, false])
})

it('a request that may exceed the limits gets its bytes, and its key is full until the bytes are released', () => {
  const budget = createBudget()
  const [ana, bo] = [budget.hold('ana'), budget.hold('bo')]
  expect([ana.take(50), ana.take(20), budget.isFull('ana')]).toEqual([true, false, false])
  expect([ana.take(20, { mayExceed: true }), budget.isFull('ana'), budget.isFull('bo')]).toEqual([true, true, false])
  bo.take(80, { mayExceed: true })
  expect([budget.bytes, budget.isFull('cy')]).toEqual([150, true])
  ana.release()
  expect([ana.take(1, { mayExceed: true }), budget.isFull('cy')]).toEqual([false, false])
})

it('a request holds no bytes after its release, and a second release changes nothing', () => {
  const budget = createBudget()
  const [held, other] = [budget.hold('ana'), budget.hold('ana')]
  held.take(30)
  other.take(10)
  held.release()
  held.release()
  expect(held.take(1)).toBe(false)
  expect(budget.bytes).toBe(10)
  other.release()
  expect(budget.bytes).toBe(0)
})
