import { expect, test, vi } from 'vitest'
import { RpcError } from '#web/data/server/rpc.ts'
import { goOnline, dataOf, makeDeal, waitOptions, stageOf, untilSent } from '../harness/acme.ts'
import { acme, setUpAcme, server } from '../harness/acme-scene.ts'
import type { Tab } from '../harness/fake-browser.ts'

setUpAcme()

const pauseMs = 2000

/**
 * Waits until the request `open_brand` was sent, no pull of these tabs is running, and no request was sent for 250 ms. Otherwise a test
 * would count requests of the start, such as the request for the memberships.
 */
async function untilCalm(tabs: readonly Tab[]): Promise<void> {
  const openings = () => acme.browser.network.log.filter(({ path }) => path.endsWith('/rpc/open_brand'))
  await vi.waitFor(() => expect(openings()).not.toEqual([]), waitOptions)
  for (const tab of tabs) await tab.requestPull(tab.device)
  const { log } = acme.browser.network
  for (let sentCount = -1; sentCount !== log.length; await new Promise((resolve) => setTimeout(resolve, 250)))
    sentCount = log.length
}

/** Responds to the next data request on this path with this status and a pause of two seconds. */
function pauseOnce(status: number, path: RegExp) {
  const requests: { at: number; path: string }[] = []
  let refusedAt = 0
  acme.browser.network.judge = (url) => {
    if (!/\/rest\/v1\//.test(url)) return 'pass'
    requests.push({ at: Date.now(), path: new URL(url).pathname })
    if (refusedAt || !path.test(url)) return 'pass'
    refusedAt = Date.now()
    return new Response('{"message":"too much"}', { status, headers: { 'retry-after': String(pauseMs / 1000) } })
  }
  return {
    /** Waits until these tabs know of the pause. Returns a function that lists the paths of later requests that were sent within the pause. */
    knownTo: async (tabs: readonly Tab[]): Promise<() => string[]> => {
      const pauses = () => tabs.map((tab) => tab.serverPause(tab.device))
      await vi.waitFor(() => expect(Math.min(...pauses())).toBeGreaterThan(0), waitOptions)
      const before = requests.length
      return () =>
        requests
          .slice(before)
          .filter(({ at }) => at < refusedAt + pauseMs - 20)
          .map(({ path }) => path)
    },
  }
}

test('an import waits for Retry-After and continues', async () => {
  await untilCalm([acme.tab])
  const { knownTo } = pauseOnce(429, /import_contacts/)
  const outcomes: unknown[] = []
  const contactImport = acme.tab.startContactImport(acme.tab.device, {
    signal: new AbortController().signal,
    onOutcomes: (some) => outcomes.push(...some),
  })
  const row = { row: 2, email: `bo-${Date.now()}@acme.test`, first_name: 'Bo', last_name: null, company: null }
  const importFinished = contactImport.push([row]).then(() => contactImport.finish())
  const tooEarly = await knownTo([acme.tab])
  await importFinished
  expect(outcomes).toMatchObject([{ row: 2, status: 'created' }])
  expect(tooEarly()).toEqual([])
})

test('after a response with 413, smaller pages are requested from then on', async () => {
  const sizes: number[] = []
  acme.browser.network.judge = (url, init) => {
    if (!url.includes('/rpc/pull')) return 'pass'
    const { p_limit } = JSON.parse(init.body as string) as { p_limit: number }
    sizes.push(p_limit)
    if (p_limit <= 100) return 'pass'
    const body = { code: 'answer_too_large', message: 'The answer is larger than 32 MB.', details: null, hint: null }
    return new Response(JSON.stringify(body), { status: 413, headers: { 'content-type': 'application/json' } })
  }
  await acme.tab.requestPull(acme.tab.device)
  // A pull that was requested meanwhile (by the sign-in, a live event or the timer) causes one more request.
  expect(sizes.slice(0, 3)).toEqual([1000, 250, 63])
  expect(new Set(sizes.slice(2))).toEqual(new Set([63]))
  await server.database?.owner.query(
    "insert into public.companies (brand_id, name) select $1, 'Kestrel ' || i from generate_series(1, 150) i",
    [acme.brandId],
  )
  sizes.length = 0
  await acme.tab.requestPull(acme.tab.device)
  // A live change may cause one more request.
  expect(sizes.length).toBeGreaterThanOrEqual(3)
  expect(new Set(sizes)).toEqual(new Set([63]))
  expect([...(acme.tab.openBrand(acme.tab.device).get()?.tables.companies.values() ?? [])]).toHaveLength(150)
})

test('a pull waits between two pages if the server asks for a pause meanwhile, and then fetches the rest', async () => {
  const { tab, browser, brandId } = acme
  await untilCalm([tab])
  const pullTimes: number[] = []
  let pausedAt = 0
  browser.network.judge = (url) => {
    if (!url.includes('/rpc/pull')) return 'pass'
    pullTimes.push(Date.now())
    if (pausedAt === 0) {
      pausedAt = Date.now()
      const busyResponse = new Response(null, { status: 503, headers: { 'retry-after': String(pauseMs / 1000) } })
      tab.recordAnswer(tab.device, busyResponse, pausedAt, true)
    }
    return 'pass'
  }
  await server.database?.owner.query(
    "insert into public.companies (brand_id, name) select $1, 'Heron ' || i from generate_series(1, 1100) i",
    [brandId],
  )
  await tab.requestPull(tab.device)
  const herons = () => [...dataOf(tab).tables.companies.values()].filter(({ name }) => name.startsWith('Heron'))
  expect(herons().length).toBeLessThan(1100)
  await vi.waitFor(() => expect(herons()).toHaveLength(1100), waitOptions)
  expect(pullTimes.filter((at) => at > pausedAt && at < pausedAt + pauseMs - 20)).toEqual([])
})

test('an error with status 429 or 503 is temporary, whatever its code; one with status 400 or 500 is not', () => {
  expect(new RpcError('The server is busy', 503, 'unavailable').isTemporary).toBe(true)
  expect(new RpcError('The server is busy', 429, 'PT429').isTemporary).toBe(true)
  expect(new RpcError('NOT_AUTHORIZED', 400, 'P0001').isTemporary).toBe(false)
  expect(new RpcError('It broke', 500, 'XX000').isTemporary).toBe(false)
})

test.each([429, 503])(
  'after %i with Retry-After neither outbox nor pull sends a request too early, in any tab, and nothing is lost',
  async (status) => {
    const id = await makeDeal(acme.tab)
    const second = await acme.browser.openTab()
    await vi.waitFor(() => expect(second.openBrand(second.device).get()?.firstPullEnded.get()).toBe(true), waitOptions)
    await untilCalm([acme.tab, second])
    acme.browser.network.offline = true
    for (const tab of [acme.tab, second]) tab.reachable(tab.device).set(false)
    await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Qualified').id)
    await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)
    acme.browser.network.offline = false
    const { knownTo } = pauseOnce(status, /\/deals\?/)
    void acme.tab.sendWaiting(acme.tab.device)
    const tooEarly = await knownTo([acme.tab, second])
    for (const tab of [acme.tab, second]) {
      tab.reachable(tab.device).set(false)
      tab.reachable(tab.device).set(true)
      void tab.sendWaiting(tab.device)
      void tab.requestPull(tab.device)
    }
    await untilSent(acme.tab)
    expect(tooEarly()).toEqual([])
    const { rows = [] } =
      (await server.database?.owner.query('select stage_id, version from public.deals where id = $1', [id])) ?? {}
    expect(rows).toEqual([{ stage_id: stageOf(acme.tab, 'Won').id, version: 3 }])
    await goOnline(acme)
  },
)
