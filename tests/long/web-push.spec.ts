import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { insertRow } from '../e2e/contact-seeds.ts'

// This test needs the complete Chromium: the headless shell, which the other tests may use, supports no notifications.
test.use({ launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] } })

test('the service worker shows a push, only once even if it arrives twice, and a tap opens its record', async ({
  server,
  browser,
}) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const context = await browser.newContext({
    baseURL: server.url,
    serviceWorkers: 'allow',
    permissions: ['notifications'],
  })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  let registrationId = ''
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.at(-1)?.registrationId ?? registrationId
  })
  await cdp.send('ServiceWorker.enable')
  await openAs(page, ana, '/crm/tasks')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.evaluate(turnPushesOn, ana.userId)
  const taskId = await insertRow(ana, 'tasks', { title: 'Call Margaret' })
  const push = { title: 'Due now', body: 'Call Margaret', tag: taskId, url: `/crm/tasks/${taskId}` }
  const data = JSON.stringify(push)
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
  const shownNotifications = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map(({ title, body, tag, data: { url } }) => ({
        title,
        body,
        tag,
        url,
      }))
    })
  await expect.poll(shownNotifications).toEqual([push])
  // The same push again replaces the notification.
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
  await expect.poll(shownNotifications).toEqual([push])
  await page.goto('/crm/overview')
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  // A tap closes the notification. The page opens the record only when the page is idle, so the push and the tap are repeated until then.
  const tap = async () => await context.serviceWorkers()[0]?.evaluate(tapFirst)
  await expect(async () => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
    await expect.poll(shownNotifications).toEqual([push])
    await tap()
    await expect(page).toHaveURL(new RegExp(`/crm/tasks/${taskId}`), { timeout: 1000 })
  }).toPass()
  await context.close()
})

/** Runs in the page: stores that this user has turned pushes on in this browser. */
async function turnPushesOn(userId: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const opening = indexedDB.open('banyan-session')
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction('values', 'readwrite')
      transaction.objectStore('values').put(userId, 'push-user')
      transaction.addEventListener('complete', () => {
        opening.result.close()
        resolve()
      })
    })
  })
}

/** Runs in the service worker: simulates that the person taps the notification. It is a text, because this file has no types of service workers. */
const tapFirst = `(async () => {
  const [notification] = await self.registration.getNotifications()
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification }))
})()`
