// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { AppRouter } from '#web/lib/routing/app-router.ts'
import { ScrollMemory } from '#web/lib/routing/scroll-memory.ts'
import { RouterContext } from '#web/lib/routing/use-router.ts'
import { Link } from './link.tsx'

renderInPage()

/** Renders links to three pages of the app. The first page is shown. */
async function renderLinks() {
  history.replaceState(null, '', '/auth')
  const loadCode = vi.fn(async () => () => null)
  const pages = ['/auth', '/auth/forgot', '/crm/tasks'].map((path) => ({ path, page: loadCode }))
  const router = new AppRouter(
    { pages, notFound: { path: '' } },
    { write: (change) => change(), scroll: new ScrollMemory((path) => path, '#main') },
  )
  await router.start()
  loadCode.mockClear()
  await act(async () =>
    reactRoot.render(
      <RouterContext value={router}>
        <Link to="/auth">Sign In</Link>
        <Link to="/crm/tasks" search={{ mine: 1 }} hash="note-1" state={{ switched: true }} also="/auth/forgot">
          Tasks
        </Link>
        <Link to="/auth/forgot" target="_blank">
          Forgot
        </Link>
      </RouterContext>,
    ),
  )
  const links = [...document.querySelectorAll('a')]
  const click = (text: string, init: MouseEventInit = {}) => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init })
    let isHandledByApp = false
    const onClickHandled = () => {
      isHandledByApp = event.defaultPrevented
      // The default would make happy-dom open the page.
      event.preventDefault()
    }
    document.addEventListener('click', onClickHandled, { once: true })
    act(() => void links.find(({ textContent }) => textContent === text)?.dispatchEvent(event))
    return isHandledByApp
  }
  const current = () =>
    links.filter((link) => link.getAttribute('aria-current') === 'page').map((link) => link.textContent)
  return { router, loadCode, links, click, current }
}

test('a link has its full URL, and a click navigates within the app', async () => {
  const { router, links, click } = await renderLinks()
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/auth', '/crm/tasks?mine=1#note-1', '/auth/forgot'])
  expect(click('Tasks')).toBe(true)
  expect(router.requested).toMatchObject({ address: '/crm/tasks?mine=1#note-1', state: { switched: true } })
})

test.each([
  ['Ctrl', { ctrlKey: true }],
  ['Cmd', { metaKey: true }],
  ['Shift', { shiftKey: true }],
  ['Alt', { altKey: true }],
  ['the middle button', { button: 1 }],
])('a click with %s is left to the browser', async (_, init) => {
  const { router, click } = await renderLinks()
  expect(click('Tasks', init)).toBe(false)
  expect(router.requested.address).toBe('/auth')
})

test('a click on a link with another target is left to the browser', async () => {
  const { router, click } = await renderLinks()
  expect(click('Forgot')).toBe(false)
  expect(router.requested.address).toBe('/auth')
})

test('a link is current if its page, or the page that it names in `also`, is requested', async () => {
  const { router, current } = await renderLinks()
  expect(current()).toEqual(['Sign In'])
  await act(() => router.navigate({ to: '/auth/forgot' }))
  expect(current()).toEqual(['Tasks', 'Forgot'])
  await act(() => router.navigate({ to: '/crm/tasks', search: { mine: 1, sort: 'name' } }))
  expect(current()).toEqual(['Tasks'])
  await act(() => router.navigate({ to: '/crm/tasks' }))
  expect(current()).toEqual([])
})

test.each(['focus', 'pointer', 'touch'])('the code behind a link is fetched on %s', async (kind) => {
  const { router, loadCode, links } = await renderLinks()
  const link = links[1]
  act(() => {
    if (kind === 'focus') link?.focus()
    if (kind === 'pointer') link?.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    if (kind === 'touch') link?.dispatchEvent(new Event('touchstart', { bubbles: true }))
  })
  expect(loadCode).toHaveBeenCalledTimes(1)
  expect(router.requested.address).toBe('/auth')
})
