// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppRouter } from './app-router.ts'
import type { GuardDecision, Route } from './match-route.ts'
import { ScrollMemory } from './scroll-memory.ts'

const Page = () => null

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((done, failed) => {
    resolve = done
    reject = failed
  })
  return { promise, resolve, reject }
}

/** A page whose code arrives, or fails to load, when the test decides. */
function slowPage() {
  const { promise, resolve, reject } = deferred<typeof Page>()
  return { page: vi.fn(() => promise), arrive: () => resolve(Page), fail: () => reject(new TypeError('gone')) }
}

const quickRoute = (path: string, routeOptions: Partial<Route> = {}): Route => ({
  path,
  page: async () => Page,
  ...routeOptions,
})
const notFound = quickRoute('')

/** Starts a router at this URL. Returns the router, the list of the URLs that it has shown so far, and the promise of its start. */
async function routerAt(address: string, pages: readonly Route[], write = (change: () => void) => change()) {
  history.pushState(null, '', address)
  return startRouter(pages, write)
}

async function startRouter(pages: readonly Route[], write = (change: () => void) => change()) {
  const router = new AppRouter({ pages, notFound }, { write, scroll: new ScrollMemory((path) => path, '#main') })
  const shown: (string | undefined)[] = []
  router.subscribe(() => {
    const address = router.shown?.location.address
    if (address !== shown.at(-1)) shown.push(address)
  })
  const start = router.start()
  return { router, shown, start }
}

const currentUrl = () => location.pathname + location.search + location.hash
const waitForSteps = () => new Promise((resolve) => setTimeout(resolve, 20))

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('the URL changes at once, the page after its code has loaded; until then the previous page stays', async () => {
  const deals = slowPage()
  const { router, shown, start } = await routerAt('/a', [quickRoute('/a'), { path: '/deals', page: deals.page }])
  await start
  expect(shown).toEqual(['/a'])
  const opened = router.open('/deals?sort=name')
  expect(currentUrl()).toBe('/deals?sort=name')
  expect(router.requested.pathname).toBe('/deals')
  await waitForSteps()
  expect(router.shown?.location.address).toBe('/a')
  deals.arrive()
  await opened
  expect(shown).toEqual(['/a', '/deals?sort=name'])
  expect(router.shown?.parts.map(({ route }) => route.path)).toEqual(['/deals'])
})

test('a later request replaces an earlier one, even if the code for the earlier page arrives last', async () => {
  const slow = slowPage()
  const { router, shown, start } = await routerAt('/a', [
    quickRoute('/a'),
    quickRoute('/b'),
    { path: '/slow', page: slow.page },
  ])
  await start
  const first = router.open('/slow')
  const second = router.open('/b')
  await second
  slow.arrive()
  await first
  expect(shown).toEqual(['/a', '/b'])
  expect(currentUrl()).toBe('/b')
})

test('if another page is requested while a guard runs, the guards after it are not called', async () => {
  const { promise, resolve } = deferred<undefined>()
  const innerGuard = vi.fn()
  const frame = quickRoute('/frame', {
    guard: () => promise,
    children: [quickRoute('/frame/page', { guard: innerGuard })],
  })
  const { router, start } = await routerAt('/a', [quickRoute('/a'), quickRoute('/b'), frame])
  await start
  const first = router.open('/frame/page')
  await router.open('/b')
  resolve(undefined)
  await first
  expect(innerGuard).not.toHaveBeenCalled()
  expect(router.shown?.location.address).toBe('/b')
})

test('Back and Forward show the page of their entry, and replace the request of a link', async () => {
  const slow = slowPage()
  const { router, shown, start } = await routerAt('/a', [
    quickRoute('/a'),
    quickRoute('/b'),
    { path: '/slow', page: slow.page },
  ])
  await start
  await router.open('/b')
  void router.open('/slow')
  router.back()
  await waitForSteps()
  expect(currentUrl()).toBe('/b')
  slow.arrive()
  await waitForSteps()
  router.back()
  await waitForSteps()
  history.forward()
  await waitForSteps()
  expect(shown).toEqual(['/a', '/b', '/a', '/b'])
})

test('a chain of redirects leads to its end, in one history entry, with the state of the last redirect', async () => {
  const { router, shown, start } = await routerAt('/a', [
    quickRoute('/a'),
    { path: '/one', guard: () => ({ address: '/two' }) },
    { path: '/two', guard: async () => ({ address: '/three?x=1', state: { email: 'ana@acme.example' } }) },
    quickRoute('/three'),
  ])
  await start
  const entryCount = history.length
  await router.open('/one', { state: { first: true } })
  expect(currentUrl()).toBe('/three?x=1')
  expect(history.length).toBe(entryCount + 1)
  expect(router.shown?.location.state).toEqual({ email: 'ana@acme.example' })
  expect(shown).toEqual(['/a', '/three?x=1'])
})

test('redirects in a circle end with an error page', async () => {
  const guard = vi.fn(() => ({ address: '/two' }))
  const pages: Route[] = [
    quickRoute('/a'),
    { path: '/one', guard },
    { path: '/two', guard: () => ({ address: '/one' }) },
  ]
  const { router, start } = await routerAt('/a', pages)
  await start
  await router.open('/one')
  expect(guard.mock.calls.length).toBeLessThan(20)
  expect(router.shown?.parts.map(({ Component }) => Component)).toEqual([null])
  await router.open('/a')
  expect(router.shown?.parts.map(({ Component }) => Component)).toEqual([Page])
})

test('a guard that rejects shows an error page; an unknown path or the decision "not-found" shows the page "not found" without a frame', async () => {
  const failing = quickRoute('/failing', { guard: () => Promise.reject(new Error('disk')) })
  const frame = quickRoute('/frame', {
    children: [quickRoute('/frame/$id', { guard: (_, { id }) => (id === '7' ? undefined : 'not-found') })],
  })
  const { router, start } = await routerAt('/nowhere', [failing, frame])
  await start
  expect(router.shown?.parts).toMatchObject([{ route: notFound, Component: Page }])
  await router.open('/failing')
  expect(router.shown?.parts).toMatchObject([{ Component: null }])
  await router.open('/frame/7')
  expect(router.shown).toMatchObject({ params: { id: '7' }, parts: [{ route: frame }, {}] })
  await router.open('/frame/8')
  expect(router.shown?.parts).toMatchObject([{ route: notFound }])
})

test('if the code of a page cannot be loaded, its frame is shown; the same link tries again', async () => {
  const broken = slowPage()
  const page = vi.fn(broken.page)
  const frame = quickRoute('/frame', { children: [{ path: '/frame/page', page }] })
  const { router, start } = await routerAt('/frame', [frame])
  await start
  broken.fail()
  await router.open('/frame/page')
  expect(router.shown?.parts).toMatchObject([{ Component: Page }, { Component: null }])
  page.mockResolvedValue(Page)
  const entryCount = history.length
  await router.open('/frame/page')
  expect(router.shown?.parts).toMatchObject([{ Component: Page }, { Component: Page }])
  expect(history.length).toBe(entryCount)
})

test('data is loaded for a new page, or for another value of `loadsFor`', async () => {
  const load = vi.fn(async () => {})
  const loadList = vi.fn(async () => {})
  const list = quickRoute('/frame/list', {
    loadsFor: ({ search }) => String(search['show']),
    load: loadList,
    children: [quickRoute('/frame/list/$id')],
  })
  const { router, start } = await routerAt('/frame/list', [
    quickRoute('/a'),
    quickRoute('/frame', { load, children: [list] }),
  ])
  await start
  await router.open('/frame/list/1')
  await router.open('/frame/list?sort=name')
  expect([load.mock.calls.length, loadList.mock.calls.length]).toEqual([1, 1])
  await router.open('/frame/list?show=open')
  expect([load.mock.calls.length, loadList.mock.calls.length]).toEqual([1, 2])
  await router.open('/a')
  await router.open('/frame/list?show=open')
  expect([load.mock.calls.length, loadList.mock.calls.length]).toEqual([2, 3])
})

test('preloading fetches the code and data that are not on screen yet, calls no guard and changes nothing', async () => {
  const guard = vi.fn<() => GuardDecision>(() => ({ address: '/a' }))
  const frame = slowPage()
  const load = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no network')))
  const { router, shown, start } = await routerAt('/a', [
    quickRoute('/a'),
    { path: '/frame', guard, load, page: frame.page, children: [{ path: '/frame/page', guard, page: frame.page }] },
  ])
  await start
  const entryCount = history.length
  router.preload('/frame/page?x=1')
  router.preload('/nowhere')
  frame.fail()
  await waitForSteps()
  expect(frame.page).toHaveBeenCalledTimes(2)
  expect(load).toHaveBeenCalledTimes(1)
  expect(guard).not.toHaveBeenCalled()
  expect([currentUrl(), history.length, shown]).toEqual(['/a', entryCount, ['/a']])
  guard.mockReturnValue(undefined)
  load.mockResolvedValue()
  frame.page.mockResolvedValue(Page)
  await router.open('/frame/page')
  load.mockClear()
  router.preload('/frame/page')
  expect(load).not.toHaveBeenCalled()
})

test('opening the same URL again adds no history entry and calls the page’s guard again; with a hash, the history entry gets a new key', async () => {
  const guard = vi.fn()
  const { router, start } = await routerAt('/a', [quickRoute('/a', { guard })])
  await start
  const entryCount = history.length
  await router.open('/a')
  expect(guard).toHaveBeenCalledTimes(2)
  await router.open('/a', { state: { first: true } })
  expect(history.length).toBe(entryCount + 1)
  await router.open('/a#note-1')
  const { key } = router.requested
  await router.open('/a#note-1')
  expect(history.length).toBe(entryCount + 2)
  expect(router.shown?.location.key).not.toBe(key)
  await router.open('/a#note-2', { replace: true })
  expect(history.length).toBe(entryCount + 2)
})

test('a history entry keeps its state and its key after a reload, and when Back leads to it', async () => {
  const pages = [quickRoute('/a'), quickRoute('/b')]
  const { router, start } = await routerAt('/a', pages)
  await start
  await router.navigate({ to: '/', replace: true, state: { switched: true } })
  const { key } = router.requested
  const reloaded = await startRouter(pages)
  await reloaded.start
  expect(reloaded.router.shown?.location).toMatchObject({ key, state: { switched: true } })
  await reloaded.router.open('/b')
  reloaded.router.back()
  await waitForSteps()
  expect(reloaded.router.shown?.location).toMatchObject({ address: '/', key, state: { switched: true } })
})

test('the URL gets the parameters as its page reads them: at the start, in links, and after a change in the address bar', async () => {
  const search = ({ mine }: Readonly<Record<string, unknown>>) => ({ mine: Number(mine) === 1 ? 1 : undefined })
  const list = quickRoute('/list', { search, children: [quickRoute('/list/$id')] })
  const { router, start } = await routerAt('/list/7?mine=true&x=y#z', [list])
  await start
  expect(currentUrl()).toBe('/list/7?mine=1&x=y#z')
  await router.open('/list?x=y&mine=yes')
  expect(currentUrl()).toBe('/list?x=y')
  history.pushState(null, '', '/list?mine=%221%22')
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
  await waitForSteps()
  expect(currentUrl()).toBe('/list?mine=1')
  expect(history.state.key).toBe(router.shown?.location.key)
})

test('if the person goes back during the start, the start resolves when the page of the earlier entry is shown', async () => {
  const slow = slowPage()
  history.pushState(null, '', '/a')
  const { router, start } = await routerAt('/slow', [quickRoute('/a'), { path: '/slow', page: slow.page }])
  history.back()
  await start
  expect(router.shown?.location.address).toBe('/a')
})

test('if open dialogs have history entries, the page changes at once, and the URL after these entries are removed', async () => {
  const waitingChanges: (() => void)[] = []
  const { router, start } = await routerAt('/a', [quickRoute('/a'), quickRoute('/b')], (change) =>
    waitingChanges.push(change),
  )
  await start
  for (const change of waitingChanges.splice(0)) change()
  await router.open('/b')
  expect([currentUrl(), router.shown?.location.address]).toEqual(['/a', '/b'])
  for (const change of waitingChanges) change()
  expect(currentUrl()).toBe('/b')
})

test('a link is current as soon as its page, or a page inside its frame, is requested with at least the parameters of the link', async () => {
  const slow = slowPage()
  const list: Route = { path: '/crm/deals', page: slow.page, children: [quickRoute('/crm/deals/$id')] }
  const { router, start } = await routerAt('/auth', [
    quickRoute('/auth'),
    quickRoute('/auth/code'),
    quickRoute('/crm', { children: [list] }),
  ])
  await start
  expect(router.isRequested({ to: '/auth' })).toBe(true)
  void router.open('/crm/deals/7?mine=1')
  expect(router.isRequested({ to: '/auth' })).toBe(false)
  expect(router.isRequested({ to: '/crm/deals' })).toBe(true)
  expect(router.isRequested({ to: '/crm/deals', search: { mine: 1, sort: undefined } })).toBe(true)
  expect(router.isRequested({ to: '/crm/deals', search: { sort: 'name' } })).toBe(false)
  void router.open('/auth/code')
  expect(router.isRequested({ to: '/auth' })).toBe(false)
})
