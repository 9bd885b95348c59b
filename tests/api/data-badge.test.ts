import { expect, test, vi } from 'vitest'
import { makeDeal, stageOf, untilSent } from '../harness/acme.ts'
import { acme, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

test('a page that opens with waiting operations does not show ‘saved’ before all of them are sent', async () => {
  const id = await makeDeal(acme.tab)
  acme.browser.network.offline = true
  acme.tab.reachable(acme.tab.device).set(false)
  await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)
  acme.browser.network.offline = false
  const secondTab = await acme.browser.openTab()
  const states: (string | undefined)[] = []
  secondTab
    .syncStatus(secondTab.device)
    .subscribe(() => states.push(secondTab.syncStatus(secondTab.device).get()?.state))
  await vi.waitFor(() => expect(states.at(-1)).toBe('saved'), { timeout: 10_000 })
  expect(states.indexOf('saved')).toBe(states.length - 1)
  expect(states).toContain('sending')
  expect(secondTab.queue(secondTab.device).get().operations).toEqual([])
  await untilSent(acme.tab)
})
