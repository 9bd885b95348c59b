import { expect, test, vi } from 'vitest'
import { makeDeal, stageOf, untilSent } from '../harness/acme.ts'
import { acme, playInAcme } from '../harness/acme-scene.ts'

playInAcme()

test('a page opened on a queue never says that all is saved before it is', async () => {
  const id = await makeDeal(acme.tab)
  acme.browser.network.offline = true
  acme.tab.reachable(acme.tab.device).set(false)
  await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)
  acme.browser.network.offline = false
  const next = await acme.browser.openTab()
  const said: (string | undefined)[] = []
  next.syncStatus(next.device).subscribe(() => said.push(next.syncStatus(next.device).get()?.state))
  await vi.waitFor(() => expect(said.at(-1)).toBe('saved'), { timeout: 10_000 })
  expect(said.indexOf('saved')).toBe(said.length - 1)
  expect(said).toContain('sending')
  expect(next.queue(next.device).get().operations).toEqual([])
  await untilSent(acme.tab)
})
