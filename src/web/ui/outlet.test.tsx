// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { AppRouter } from '#web/lib/routing/app-router.ts'
import type { Route } from '#web/lib/routing/match-route.ts'
import { ScrollMemory } from '#web/lib/routing/scroll-memory.ts'
import { useParams, useShownLocation } from '#web/lib/routing/use-router.ts'
import { Outlet, RouterPages } from './outlet.tsx'

renderInPage()
const log: string[] = []

/** Logs when a component is mounted and unmounted. */
function useLog(name: string) {
  useEffect(() => {
    log.push(`${name} comes`)
    return () => void log.push(`${name} goes`)
  }, [name])
}

function Frame() {
  useLog('frame')
  return (
    <main>
      Frame <Outlet />
    </main>
  )
}
function List() {
  useLog('list')
  const { search } = useShownLocation()
  return (
    <>
      List {search['sort'] === undefined ? '' : JSON.stringify(search['sort'])}
      <Outlet />
    </>
  )
}
function Item() {
  const { id = '' } = useParams()
  useLog('item')
  if (id === 'bad') throw new Error('cannot be drawn')
  return <b>Item {id}</b>
}
const Other = () => <i>Other</i>

const failToLoad = vi.fn(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
const frame: Route = {
  path: '/frame',
  page: async () => Frame,
  children: [
    {
      path: '/frame/list',
      page: async () => List,
      children: [{ path: '/frame/list/$id', page: async () => Item }],
    },
    { path: '/frame/other', page: async () => Other },
    { path: '/frame/gone', page: failToLoad },
  ],
}
const text = () => document.body.textContent?.replace(/\s+/g, ' ').trim()

async function renderAt(address: string) {
  log.length = 0
  vi.spyOn(console, 'error').mockReturnValue()
  history.replaceState(null, '', address)
  const router = new AppRouter(
    { pages: [frame], notFound: { path: '', page: async () => () => '404' } },
    { write: (change) => change(), scroll: new ScrollMemory((path) => path.split('/', 3).join('/'), 'main') },
  )
  await router.start()
  await act(async () => reactRoot.render(<RouterPages router={router} />))
  return (to: string) => act(() => router.open(to))
}

test('a frame stays mounted while its pages change, and a list while its records open', async () => {
  const open = await renderAt('/frame/list?sort=name')
  expect(text()).toBe('Frame List "name"')
  await open('/frame/list/7?sort=name')
  expect(text()).toBe('Frame List "name"Item 7')
  await open('/frame/list/8?sort=newest')
  expect(text()).toBe('Frame List "newest"Item 8')
  await open('/frame/list')
  await open('/frame/other')
  expect(text()).toBe('Frame Other')
  expect(log).toEqual(['list comes', 'frame comes', 'item comes', 'item goes', 'list goes'])
})

test('a URL without a page shows the 404 page, without a frame', async () => {
  const open = await renderAt('/frame/other')
  await open('/frame/nothing')
  expect(text()).toBe('404')
})

test('a page whose code is missing, or that fails to render, shows a message in its frame; the next page is shown as usual', async () => {
  const open = await renderAt('/frame/list')
  await open('/frame/list/bad')
  expect(text()).toMatch(/^Frame List Something went wrong here/)
  await open('/frame/list/7')
  expect(text()).toBe('Frame List Item 7')
  await open('/frame/gone')
  expect(text()).toMatch(/^Frame Something went wrong here/)
  await open('/frame/other')
  expect(text()).toBe('Frame Other')
})
