import { createPerson, expect, expectAccessible, openContext, signInByScreen, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

/** How browsers forbid IndexedDB: by an error of each request (a private window), or by an exception when it is accessed (blocked site data). */
const ways = ['error', 'exception'] as const

for (const way of ways)
  test(`without IndexedDB (${way}) the app says what does not work and what to do, and works online`, async ({
    browser,
    server,
  }) => {
    const ana = await createPerson(server, { brand: 'Harbour' })
    const id = await insertRow(ana, 'contacts', { email: 'zoe@x.test', first_name: 'Zoe' })
    const context = await openContext(browser, server)
    const page = await context.newPage()
    await page.addInitScript((way) => {
      const error = new DOMException('The operation is insecure.', 'SecurityError')
      const throwError = () => {
        throw error
      }
      const refuse = () => {
        const request = Object.assign(new EventTarget(), { error })
        setTimeout(() => request.dispatchEvent(new Event('error')), 5)
        return request
      }
      if (way === 'exception') Object.defineProperty(globalThis, 'indexedDB', { get: throwError })
      else for (const name of ['open', 'deleteDatabase']) Reflect.set(IDBFactory.prototype, name, refuse)
    }, way)
    await page.goto('/auth')
    const notice = page.getByRole('status', { name: 'Nothing is stored' })
    await expect(notice).toContainText('This browser stores nothing for Banyan CRM')
    await expect(notice).toContainText('use a normal window instead of a private one')
    await expectAccessible(page)
    await notice.getByRole('button', { name: 'Continue' }).click()
    await expect(notice).toHaveCount(0)
    await signInByScreen(page, ana.email, ana.password)
    await expect(page).toHaveURL(/\/crm\/overview$/)
    await page.getByRole('link', { name: 'Contacts' }).first().click()
    await page.getByRole('link', { name: 'Zoe' }).first().click()
    await page.getByRole('textbox', { name: 'Write a note' }).fill('Wants a quote')
    await page.getByRole('button', { name: 'Add note' }).click()
    const bodies = async () => (await ana.client.from('notes').select('body').eq('contact_id', id)).data
    await expect.poll(bodies).toEqual([{ body: 'Wants a quote' }])
    await page.goto('/crm/contacts')
    await expect(page).toHaveURL(/\/auth$/)
    await expect(notice).toBeVisible()
    await context.close()
  })
