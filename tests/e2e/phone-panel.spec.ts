import type { Locator } from '@playwright/test'
import { expect, openAs, test } from '../harness/browser.ts'
import { smallTargets } from '../harness/phone-page.ts'
import { insertRow, personWithContacts } from './contact-seeds.ts'
import { personWithDeals } from './deal-seeds.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const longContact = {
  email: 'margaret.featherstonehaugh@lindenhealthtrust.example',
  first: 'Margaret',
  last: 'Featherstonehaugh',
}

test('each field of a record has its icon, a long e-mail address is not cut, and a task shows its priority', async ({
  page,
  server,
}) => {
  const person = await personWithContacts(server, [{ ...longContact, company: 'Linden Health' }])
  const { data } = await person.client.from('contacts').select('id').single()
  await insertRow(person, 'tasks', { title: 'Send the terms', priority: 'high', contact_id: data?.id })
  await openAs(page, person, `/crm/contacts/${data?.id}`)
  const panel = page.getByRole('complementary', { name: 'Contact' })
  for (const label of ['Email', 'Phone', 'Company', 'Owner', 'First name', 'Last name', 'Job title']) {
    const labelText = panel.locator('span[aria-hidden="true"]').getByText(label, { exact: true })
    const icon = panel
      .locator('div')
      .filter({ has: page.locator(`> span:text-is("${label}")`) })
      .locator('> span > svg')
    await expect(icon, label).toBeVisible()
    const [iconBox, labelBox] = await Promise.all([icon.boundingBox(), labelText.boundingBox()])
    expect((iconBox?.x ?? 0) + (iconBox?.width ?? 0), label).toBeLessThan(labelBox?.x ?? 0)
  }
  const emailText = panel.getByRole('button', { name: /^Email: / }).locator('span')
  expect(
    await emailText.evaluate((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight - text.clientHeight]),
  ).toEqual([0, 0])
  await expect(panel.getByText('High')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).tap()
  const name = page.getByRole('link', { name: 'Margaret Featherstonehaugh' })
  await expect(name).toBeVisible()
})

test('a link to another record can be cleared only when its field is open; the tap that opens the field clears nothing', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, [{ ...longContact, company: 'Linden Health' }])
  const { data } = await person.client.from('contacts').select('id').single()
  await openAs(page, person, `/crm/contacts/${data?.id}`)
  const company = page.getByRole('combobox', { name: 'Company' })
  await expect(company).toHaveValue('Linden Health')
  const clearButton = page.getByRole('button', { name: 'Clear' })
  await expect(clearButton).toBeHidden()
  const box = await company.boundingBox()
  await page.touchscreen.tap((box?.x ?? 0) + (box?.width ?? 0) - 6, (box?.y ?? 0) + 26)
  await expect(clearButton).toBeVisible()
  expect(await smallTargets(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(company).toHaveValue('Linden Health')
  await company.tap()
  await clearButton.tap()
  await expect(company).toHaveValue('')
  await expect
    .poll(async () => (await person.client.from('contacts').select('company_id').single()).data)
    .toEqual({ company_id: null })
})

test("an edited date has one calendar icon, and an amount is typed with letters: '12k'", { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Refit', amount: 5_000, day: '2099-01-02' }])
  const { data } = await person.client.from('deals').select('id').single()
  await openAs(page, person, `/crm/deals/${data?.id}`)
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const row = panel.locator('div').filter({ has: page.locator('> span:text-is("Expected close date")') })
  await panel.getByRole('button', { name: /^Expected close/ }).tap()
  await expect(panel.getByRole('textbox', { name: /^Expected close/ })).toBeFocused()
  await expect(row.locator('svg:visible')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(row.locator('svg:visible')).toHaveCount(1)
  await panel.getByRole('button', { name: /^Amount: / }).tap()
  const amount = panel.getByRole('textbox', { name: 'Amount' })
  await expect(amount).toHaveAttribute('inputmode', 'text')
  await amount.fill('12k')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Amount: £12,000. Edit' })).toBeVisible()
})

test('on the phone, a deal that is opened on a new device hardly moves while its data arrives', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Renewal 2027', amount: 12_000 }])
  const dealId = (await person.client.from('deals').select('id').single()).data?.id
  for (const title of ['Call', 'Write']) await insertRow(person, 'tasks', { title, deal_id: dealId })
  await page.addInitScript(() => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] }
        shifts.push(`${value} ${sources.map(({ node }) => node?.textContent).join('; ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openAs(page, person, `/crm/deals/${dealId}`)
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await expect(panel.getByRole('button', { name: 'Add contact', exact: true })).toBeVisible()
  await expect(panel.getByRole('heading', { name: 'Timeline', exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate(() => (window as typeof window & { shifts: string[] }).shifts)
  const totalShift = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0)
  expect(totalShift, shifts.join('\n')).toBeLessThan(0.02)
})

test('the focus ring of a short amount surrounds the label above it', { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Refit', amount: 7 }])
  const { data } = await person.client.from('deals').select('id').single()
  await openAs(page, person, `/crm/deals/${data?.id}`)
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const amount = panel.getByRole('button', { name: /^Amount: / })
  await expect(amount).toBeVisible()
  const rightEdge = async (element: Locator) => {
    const { x = 0, width = 0 } = (await element.boundingBox()) ?? {}
    return x + width
  }
  const label = panel.locator('span[aria-hidden="true"]').getByText('Amount', { exact: true })
  // The box of a label is as wide as its row, so the text is measured.
  const labelEnd = await label.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    return text.getBoundingClientRect().right
  })
  expect(await rightEdge(amount)).toBeGreaterThan(labelEnd + 4)
  const { x: currencyX = 0 } = (await panel.getByRole('combobox', { name: 'Currency' }).boundingBox()) ?? {}
  expect(await rightEdge(amount)).toBeLessThanOrEqual(currencyX)
})

test('on the phone, a text is kept when a colleague changes its field, and when the page is reloaded', async ({
  page,
  server,
}) => {
  const person = await personWithContacts(server, [])
  const id = await insertRow(person, 'companies', { name: 'Acme', notes: 'Old' })
  const storedNotes = async () =>
    (await person.client.from('companies').select('notes').eq('id', id).single()).data?.notes
  await openAs(page, person, `/crm/companies/${id}`)
  const panel = page.getByRole('complementary', { name: 'Company' })
  const notes = panel.getByRole('textbox', { name: 'Notes' })
  const openNotes = () => panel.getByRole('button', { name: /^Notes: / }).tap()
  const typeDuringChange = async (theirs: string, mine: string) => {
    await openNotes()
    await notes.fill(mine)
    await person.client
      .from('companies')
      .update({ name: `Acme ${theirs}`, notes: theirs })
      .eq('id', id)
    await expect(panel.getByRole('button', { name: `Company name: Acme ${theirs}. Edit` })).toBeVisible()
  }
  await typeDuringChange('Theirs', 'Mine')
  // The tap that leaves the notes opens the other field.
  await panel.getByRole('button', { name: /^Phone: / }).tap()
  await expect(panel.getByRole('textbox', { name: 'Phone' })).toBeFocused()
  await expect(panel.getByRole('alert')).toHaveText('Somebody changed this to “Theirs” meanwhile.')
  expect(await smallTargets(page)).toEqual([])
  await panel.getByRole('button', { name: 'Show theirs' }).tap()
  await expect(panel.getByRole('button', { name: 'Notes: Theirs. Edit' })).toBeVisible()
  await typeDuringChange('Theirs again', 'Mine again')
  await page.getByRole('button', { name: 'Back' }).tap()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('You typed “Mine again”.')
  expect(await storedNotes()).toBe('Theirs again')
  await page.getByRole('button', { name: 'Keep mine' }).tap()
  await expect.poll(storedNotes).toBe('Mine again')

  await page.getByRole('link', { name: 'Acme Theirs again' }).tap()
  await openNotes()
  await notes.fill('Typed before a reload')
  await page.reload()
  await expect.poll(storedNotes).toBe('Typed before a reload')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)).toBe('contain')
})
