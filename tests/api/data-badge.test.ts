import { expect, test, vi } from 'vitest'
import { makeDeal, stageOf, untilSent } from '../harness/acme.ts'
import { acme, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

test('a page that opens with waiting operations does not say that all is saved until it is', async () => {
  const id = await makeDeal(acme.tab)
  acme.browser.network.offline = true
  acme.tab.reachable(acme.tab.device).set(false)
  await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)
  acme.browser.network.offline = false
  const next = await acme.browser.openTab()
  const states: (string | undefined)[] = []
  next.syncStatus(next.device).subscribe(() => states.push(next.syncStatus(next.device).get()?.state))
  await vi.waitFor(() => expect(states.at(-1)).toBe('saved'), { timeout: 10_000 })
  expect(states.indexOf('saved')).toBe(states.length - 1)
  expect(states).toContain('sending')
  expect(next.queue(next.device).get().operations).toEqual([])
  await untilSent(acme.tab)
})
