import { expect, it } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

const budget = () => new ByteBudget({ total: 100, perKey: 60, small: 10 })

it('the byte budget limits all requests of one key together', () => {
  const all = budget()
  const [one, another] = [all.hold('ana'), all.hold('ana')]
  expect([one.take(40), another.take(21), another.take(20)]).toEqual([true, false, true])
  one.release()
  expect(another.take(40)).toBe(true)
  expect(all.bytes).toBe(60)
})

it('the byte budget limits all keys together, and lets small requests exceed this limit by half', () => {
  const all = budget()
  const [ana, bo] = [all.hold('ana'), all.hold('bo')]
  expect([ana.take(60), bo.take(50), bo.take(40)]).toEqual([true, false, true])
  const small = Array.from({ length: 6 }, (_, i) => all.hold(`small ${i}`).take(10))
  expect(small).toEqual([true, true, true, true, true, false])
})

it('a request that may exceed the limits always gets its bytes, and the key is full from then on', () => {
  const all = budget()
  const [ana, bo] = [all.hold('ana'), all.hold('bo')]
  expect([ana.take(50), ana.take(20), all.isFull('ana')]).toEqual([true, false, false])
  expect([ana.take(20, { mayExceed: true }), all.isFull('ana'), all.isFull('bo')]).toEqual([true, true, false])
  bo.take(80, { mayExceed: true })
  expect([all.bytes, all.isFull('cy')]).toEqual([150, true])
  ana.release()
  expect([ana.take(1, { mayExceed: true }), all.isFull('cy')]).toEqual([false, false])
})

it('a request holds no bytes after its release, and a second release changes nothing', () => {
  const all = budget()
  const [held, other] = [all.hold('ana'), all.hold('ana')]
  held.take(30)
  other.take(10)
  held.release()
  held.release()
  expect(held.take(1)).toBe(false)
  expect(all.bytes).toBe(10)
  other.release()
  expect(all.bytes).toBe(0)
})
