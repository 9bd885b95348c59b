import { expect, test, vi } from 'vitest'
import { comeOnline, makeDeal, patience, stageOf, untilSent } from '../harness/acme.ts'
import { acme, playInAcme, server } from '../harness/acme-scene.ts'

playInAcme()

const shownPause = 2000
/** Another tab's request may have begun before it heard of the pause. Milliseconds. */
const onItsWay = 100

/** The server answers the next request for data with this, and asks for two seconds; resolves with what was asked and when. */
function pauseOnce(status: number, path: RegExp): { asked: number[]; refusedAt: () => number } {
  const asked: number[] = []
  let refusedAt = 0
  acme.browser.network.judge = (url) => {
    if (!/\/rest\/v1\//.test(url)) return 'pass'
    asked.push(Date.now())
    if (refusedAt || !path.test(url)) return 'pass'
    refusedAt = Date.now()
    return new Response('{"message":"too much"}', { status, headers: { 'retry-after': String(shownPause / 1000) } })
  }
  return { asked, refusedAt: () => refusedAt }
}

test.each([429, 503])(
  '%i with Retry-After: neither the queue nor a pull asks before its time, in no tab, and nothing is lost',
  async (status) => {
    const id = await makeDeal(acme.tab)
    const second = await acme.browser.openTab()
    await vi.waitFor(() => expect(second.openBrand.get()?.answered.get()).toBe(true), patience)
    acme.browser.network.offline = true
    for (const tab of [acme.tab, second]) tab.reachable.set(false)
    await acme.tab.moveDeal(id, stageOf(acme.tab, 'Qualified').id)
    await acme.tab.moveDeal(id, stageOf(acme.tab, 'Won').id)
    acme.browser.network.offline = false
    const { asked, refusedAt } = pauseOnce(status, /\/deals\?/)
    void acme.tab.sendWaiting()
    await vi.waitFor(() => expect(refusedAt()).toBeGreaterThan(0), patience)
    await vi.waitFor(() => expect(second.serverPause()).toBeGreaterThan(0), patience)
    for (const tab of [acme.tab, second]) {
      tab.reachable.set(false)
      tab.reachable.set(true)
      void tab.sendWaiting()
      void tab.requestPull()
    }
    await untilSent(acme.tab)
    const tooEarly = asked.filter((at) => at > refusedAt() + onItsWay && at < refusedAt() + shownPause - 20)
    expect(tooEarly).toEqual([])
    const { rows = [] } =
      (await server.database?.owner.query('select stage_id, version from public.deals where id = $1', [id])) ?? {}
    expect(rows).toEqual([{ stage_id: stageOf(acme.tab, 'Won').id, version: 3 }])
    await comeOnline(acme)
  },
)
