import type { Locator } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, test } from '../harness/browser.ts'
import { insertRow, personWithContacts } from './contact-seeds.ts'
import { personWithDeals } from './deal-seeds.ts'

test('the key w and a button in the header focus the note field; the timeline shows added and removed tags, those of offline edits once they are sent', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await personWithContacts(server, [{ first: 'Zoe', last: 'Marsh', email: 'zoe@x.test', company: 'Big' }])
  const { data } = await ana.client.from('contacts').select('id, company_id').single()
  await insertRow(ana, 'tags', { name: 'VIP', color: 'green' })
  await insertRow(ana, 'tags', { name: 'Press', color: 'red' })
  await page.setViewportSize({ width: 1440, height: 500 })
  await openAs(page, ana, `/crm/contacts/${data?.id}`)
  const field = page.getByRole('textbox', { name: 'Write a note' })
  await expect(field).toBeAttached()
  await expect(field).not.toBeInViewport()
  await page.keyboard.press('w')
  await expect(field).toBeFocused()
  await expect(page.getByRole('button', { name: 'Add note' })).toBeInViewport({ ratio: 1 })
  await expect(field).toHaveValue('')
  await page.keyboard.type('Likes www')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('article')).toContainText('Likes www')

  const panel = page.getByRole('complementary', { name: 'Contact' })
  const entries = panel.locator('section', { hasText: 'Timeline' }).getByRole('listitem')
  const toggleTag = async (name: string) => {
    await panel.getByRole('button', { name: /^(Add|Change) tags/ }).click()
    await page.getByRole('option', { name }).click()
    await page.keyboard.press('Escape')
  }
  await toggleTag('VIP')
  await expect(entries.first()).toContainText('added the tag VIP')
  await expectAccessible(page)
  await page.context().setOffline(true)
  await toggleTag('Press')
  await toggleTag('VIP')
  await page.context().setOffline(false)
  // The next attempt to send may be several seconds away.
  await expect(panel).toContainText('added the tag Press', { timeout: 20_000 })
  await expect(panel).toContainText('removed the tag VIP', { timeout: 20_000 })

  // On the phone, the company's timeline shows the entries of its contact.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/crm/companies/${data?.company_id}`)
  const company = page.getByRole('complementary', { name: 'Company' })
  await expect(company).toContainText('removed the tag VIP from Zoe Marsh')
  await expect(company).toContainText('added the tag Press to Zoe Marsh')
  await company.getByRole('button', { name: 'Write a note' }).click()
  await expect(field).toBeFocused()
  await expect(page.getByRole('button', { name: 'Add note' })).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
})

test("'Call' opens the form that logs the call, with its time; a form that is not submitted saves nothing", {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(ana, 'contacts', { email: 'zoe@x.test', first_name: 'Zoe', phone: '+44 20 7946 0000' })
  await page.setViewportSize({ width: 1440, height: 500 })
  await openAs(page, ana, `/crm/contacts/${id}`)
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const field = panel.getByRole('textbox', { name: 'Write a note' })
  const kindRadio = (name: string) => panel.getByRole('radio', { name })
  const callLink = panel.getByRole('link', { name: 'Call' })
  await expect(callLink).toHaveAttribute('href', 'tel:+442079460000')
  await expect(field).toBeAttached()
  await callLink.click()
  await expect(field).toBeFocused()
  await expect(kindRadio('Call')).toBeChecked()
  await expect(panel.getByRole('textbox', { name: 'When' })).not.toHaveValue('')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('w')
  await expect(kindRadio('Note')).toBeChecked()
  await page.keyboard.press('Escape')

  // On the phone 'Call' opens the dialler. The text field gets no focus, because the on-screen keyboard would cover the form.
  await page.setViewportSize({ width: 390, height: 844 })
  await callLink.click()
  const logButton = panel.getByRole('button', { name: 'Log call' })
  await expect(logButton).toBeInViewport({ ratio: 1 })
  await expect(field).not.toBeFocused()
  await page.reload()
  await expect(field).toBeAttached()
  await expect(logButton).toHaveCount(0)
  await callLink.click()
  await field.fill('Wants two more')
  await logButton.click()
  await expect(panel.getByRole('article')).toContainText('Wants two more')
  await expect
    .poll(async () => (await ana.client.from('notes').select('kind, body').eq('contact_id', id)).data)
    .toEqual([{ kind: 'call', body: 'Wants two more' }])
})

test('a note that is too long with its mentions is not sent: the form says by how much', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Harbour' })
  await ana.client.from('memberships').update({ display_name: 'Ana' }).eq('user_id', ana.userId)
  const id = await insertRow(ana, 'contacts', { email: 'zoe@x.test', first_name: 'Zoe' })
  await openAs(page, ana, `/crm/contacts/${id}`)
  const field = page.getByRole('textbox', { name: 'Write a note' })
  await field.fill(`@Ana ${'n'.repeat(9_995)}`)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByText('Too long with its mentions: leave out 45 characters')).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await field.fill(`@Ana ${'n'.repeat(9_950)}`)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('article')).toContainText('@Ana nnn')
  await expect(field).toHaveValue('')

  // The first note of a new record is kept, with the mention as plain text.
  await page.goto('/crm/contacts?new=1')
  await page.getByLabel('Email').fill('tom@x.test')
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill(`@Ana ${'n'.repeat(9_995)}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Add Contact' }).click()
  await expect
    .poll(async () => (await ana.client.from('notes').select('body')).data?.map(({ body }) => body.length).toSorted())
    .toEqual([10_000, 10_000])
})

test("the form for a note stays visible with its buttons while its text grows, and so does the field of 'Add contact'", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Harbour wall', contact: { first: 'Mei', last: 'Tan', email: 'mei@harbour.example' } },
  ])
  const { data } = await person.client.from('deals').select('id').single()
  await openAs(page, person, `/crm/deals/${data?.id}`)
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const addButton = panel.getByRole('button', { name: 'Add contact', exact: true })
  const note = panel.getByRole('textbox', { name: 'Write a note' })
  await expect(note).toBeAttached()
  /** Returns how far an element extends below the part of the panel that scrolls (px). */
  const cutHeight = async (element: Locator) => {
    const [box, footerBox] = [await element.boundingBox(), await panel.locator('footer').boundingBox()]
    return Math.max(0, (box?.y ?? 0) + (box?.height ?? 999) - (footerBox?.y ?? 0))
  }
  // The button of 'Add contact' is just above the footer, and the field below it would be under the footer.
  const { y: buttonY = 0 } = (await addButton.boundingBox()) ?? {}
  await page.setViewportSize({ width: 1440, height: Math.round(buttonY) + 90 })
  await addButton.click()
  const finder = panel.getByRole('combobox', { name: 'Further contact' })
  await expect(finder).toBeFocused()
  await expect.poll(() => cutHeight(finder)).toBe(0)
  await page.keyboard.press('Escape')

  await note.click()
  const submit = panel.getByRole('button', { name: 'Add note' })
  await expect.poll(() => cutHeight(submit)).toBe(0)
  for (const line of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await page.keyboard.type(line)
    await page.keyboard.press('Enter')
  }
  await expect.poll(() => cutHeight(submit)).toBe(0)
})

test('the caret is at the end of the text of a note that is edited', { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const contactId = await insertRow(person, 'contacts', { email: 'zoe@x.test', first_name: 'Zoe' })
  await insertRow(person, 'notes', { contact_id: contactId, kind: 'note', body: 'Likes blue' })
  await openAs(page, person, `/crm/contacts/${contactId}`)
  await page.getByRole('button', { name: /^Actions of this/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('textbox', { name: 'Edit note' })).toBeFocused()
  await page.keyboard.type(' and green')
  await expect(page.getByRole('textbox', { name: 'Edit note' })).toHaveValue('Likes blue and green')
})
