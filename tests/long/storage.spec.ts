import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test, toastOf } from '../harness/browser.ts'

test.setTimeout(120_000)

async function emailsOnServer(person: Person): Promise<string[]> {
  const { data, error } = await person.client
    .from('contacts')
    .select('email')
    .eq('brand_id', person.brandId)
    .like('email', '%@slate.example')
    .order('created_at')
  expect(error).toBeNull()
  return (data ?? []).map(({ email }) => email as string)
}

/**
 * Makes `simulateFullDisk` work on each page that is loaded after this call. Writes to IndexedDB fail while a full disk is simulated. Mode 'copies'
 * ends when the app deletes its stored server rows; 'all' ends when `simulateFullDisk` is called with ''. A reload ends both modes.
 */
async function prepareFullDisk(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const disk = globalThis as unknown as { full: '' | 'copies' | 'all'; persisted: number }
    disk.full = ''
    disk.persisted = 0
    const callBefore = (name: string, look: (store: IDBObjectStore) => void) => {
      const realMethod = Reflect.get(IDBObjectStore.prototype, name) as (...given: unknown[]) => unknown
      Reflect.set(IDBObjectStore.prototype, name, function (this: IDBObjectStore, ...given: unknown[]) {
        look(this)
        return Reflect.apply(realMethod, this, given)
      })
    }
    const refuse = () => {
      if (disk.full) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    callBefore('add', refuse)
    callBefore('put', refuse)
    callBefore('clear', ({ transaction }) => {
      if (disk.full === 'copies' && transaction.db.name.startsWith('banyan-rows-')) disk.full = ''
    })
    navigator.storage.persist = async () => {
      disk.persisted += 1
      return true
    }
  })
}

/** Starts to simulate a full disk, as `prepareFullDisk` describes; '' ends the simulation. */
function simulateFullDisk(page: Page, full: '' | 'copies' | 'all'): Promise<void> {
  return page.evaluate((mode) => {
    Object.assign(globalThis, { full: mode })
  }, full)
}

async function openForm(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
}

test('on a full disk server rows are deleted before a change is refused, a refused change stays in its form, and no waiting operation is lost', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await ana.client.rpc('upsert_contact', { p_brand_id: ana.brandId, p_email: 'here@acme.example', p_first: 'Kept' })
  await prepareFullDisk(page)
  await openAs(page, ana, '/crm/contacts')
  await expect(page.getByText('here@acme.example').first()).toBeVisible()
  // Loads the form's code.
  await openForm(page, '')
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => Reflect.get(globalThis, 'persisted'))).toBe(0)
  await page.context().setOffline(true)
  await openForm(page, 'first@slate.example')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Offline, 1 waiting' })).toBeVisible()
  // The change is shown before it is stored.
  await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'persisted') as number)).toBe(1)

  await simulateFullDisk(page, 'copies')
  await openForm(page, 'second@slate.example')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Offline, 2 waiting' })).toBeVisible()
  // The rows of the open list stay visible, although their stored copies were deleted.
  await expect(page.getByText('here@acme.example').first()).toBeVisible()

  await simulateFullDisk(page, 'all')
  await openForm(page, 'third@slate.example')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('This device has no room left for the change.')
  await expect(page.getByRole('dialog').getByLabel('Email')).toHaveValue('third@slate.example')
  await expect(page.getByText('third@slate.example')).toHaveCount(0)

  await simulateFullDisk(page, '')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Offline, 3 waiting' })).toBeVisible()
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('here@acme.example').first()).toBeVisible()
  expect(await emailsOnServer(ana)).toEqual(['first@slate.example', 'second@slate.example', 'third@slate.example'])
})

test('if the disk fills up while waiting operations are sent, each arrives once, and the page works without stored rows', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await prepareFullDisk(page)
  await openAs(page, ana, '/crm/contacts')
  await openForm(page, '')
  await page.keyboard.press('Escape')
  await page.context().setOffline(true)
  for (const name of ['first', 'second', 'third']) {
    await openForm(page, `${name}@slate.example`)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await simulateFullDisk(page, 'all')
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible({ timeout: 30_000 })
  await expect(toastOf(page)).toContainText('This device has no room left')
  await expect(page.getByText('third@slate.example').first()).toBeVisible()
  expect(await emailsOnServer(ana)).toEqual(['first@slate.example', 'second@slate.example', 'third@slate.example'])
  await simulateFullDisk(page, '')
  await page.reload()
  await expect(page.getByText('first@slate.example').first()).toBeVisible()
})
