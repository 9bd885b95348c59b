import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, it, vi } from 'vitest'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { knownUserKey } from '#web/data/server/session-token.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
import { ana, bo, type LoneTab, openLoneTab, acme } from '#tests/harness/lone-tab.ts'

const code = readFileSync('public/push-worker.js', 'utf8')
const url = '/crm/tasks/7'
const push = { title: 'Due now', body: 'Call Margaret', tag: 'n1', url, brand_id: acme }

let tab: LoneTab
beforeEach(async () => {
  tab = await openLoneTab()
})

/** A service worker that runs the app's code, with the windows and the subscription of its browser. */
function startWorker(windowUrls: readonly string[] = []) {
  const listeners = new Map<string, (event: object) => void>()
  const unsubscribe = vi.fn(async () => true)
  const showNotification = vi.fn(
    async (_title: string, _options: { body?: string; tag?: string; data?: unknown }) => {},
  )
  const posted: unknown[] = []
  const openWindow = vi.fn(async (_url: string) => {})
  const windows = windowUrls.map((windowUrl) => ({
    url: windowUrl,
    focus: async () => {},
    postMessage: (message: unknown) => posted.push(message),
  }))
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    indexedDB: tab.device.indexedDB,
    location: { origin: 'https://crm.test' },
    clients: { matchAll: async () => windows, openWindow },
    registration: { showNotification, pushManager: { getSubscription: async () => ({ unsubscribe }) } },
  }
  runInNewContext(code, { self, URL })
  const run = async (type: string, event: object) => {
    let work: Promise<unknown> | undefined
    listeners.get(type)?.({
      ...event,
      waitUntil: (promise: Promise<unknown>) => {
        work = promise
      },
    })
    await work
  }
  return {
    unsubscribe,
    openWindow,
    posted,
    deliver: () => run('push', { data: { json: () => push } }),
    tap: () => run('notificationclick', { notification: { close: () => {}, tag: 'n1', data: { url, brandId: acme } } }),
    ask: (type: string) =>
      run('message', { data: { type }, source: windows[0] ?? { postMessage: (m: unknown) => posted.push(m) } }),
    /** The titles, texts and targets of the shown notifications. */
    shown: () => showNotification.mock.calls.map(([title, { body, data }]) => ({ title, body, data })),
  }
}

const store = () => keyValueStore(tab.device)
const signIn = (userId: string) => store().set(knownUserKey, JSON.stringify({ userId, email: 'a@b.test' }))

it('a push is shown to the user who turned pushes on in this browser', async () => {
  await store().set('push-user', ana)
  await signIn(ana)
  const worker = startWorker()
  await worker.deliver()
  expect(worker.shown()).toEqual([{ title: 'Due now', body: 'Call Margaret', data: { url, brandId: acme } }])
  expect(worker.unsubscribe).not.toHaveBeenCalled()
})

const ended = { title: 'Banyan CRM', body: 'Notifications on this device have ended.', data: undefined }

it.each([
  ['after a sign-out that the server does not know', ana, null],
  ['while another user is signed in', ana, bo],
  ['after pushes were turned off', null, ana],
])('a push shows only that notifications have ended, and ends the subscription, %s', async (_, pushUserId, userId) => {
  if (pushUserId) await store().set('push-user', pushUserId)
  if (userId) await signIn(userId)
  const worker = startWorker()
  await worker.deliver()
  expect(worker.shown()).toEqual([ended])
  expect(worker.unsubscribe).toHaveBeenCalledOnce()
})

it('a push shows only that notifications have ended, and creates no database, if the browser has no values of the app', async () => {
  tab = { ...tab, device: (await openLoneTab()).device }
  tab.device.indexedDB.deleteDatabase('banyan-session')
  const worker = startWorker()
  await worker.deliver()
  expect(worker.shown()).toEqual([ended])
  const names = (await tab.device.indexedDB.databases()).map(({ name }) => name)
  expect(names).not.toContain('banyan-session')
})

it('a tap opens a new window in the brand of the push, and a page that asks for the tap gets it until the page has handled it', async () => {
  await store().set('push-user', ana)
  await signIn(ana)
  const worker = startWorker()
  await worker.tap()
  expect(worker.openWindow.mock.calls).toEqual([['https://crm.test/crm/tasks/7']])
  expect(await store().get(userValueKey(ana, 'brand'))).toBe(acme)
  const tapMessage = { type: 'open', brandId: acme, notificationId: 'n1' }
  await worker.ask('ask-tap')
  expect(worker.posted).toEqual([tapMessage])
  await worker.ask('tap-handled')
  await worker.ask('ask-tap')
  expect(worker.posted).toEqual([tapMessage])
})

it('a tap is sent to an open window of the app, and again when its page asks for it', async () => {
  const worker = startWorker(['https://crm.test/auth', 'https://crm.test/crm/deals'])
  await worker.tap()
  expect(worker.openWindow).not.toHaveBeenCalled()
  await worker.ask('ask-tap')
  const tapMessage = { type: 'open', brandId: acme, notificationId: 'n1', path: url }
  expect(worker.posted).toEqual([tapMessage, tapMessage])
})
