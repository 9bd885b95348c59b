import { expect, openAs, test } from '../harness/browser.ts'
import { personWithContacts } from './contact-seeds.ts'

test('the panel of a contact that was added offline opens the contact of a colleague with the same address, with the unsent note', async ({
  page,
  context,
  server,
}) => {
  const person = await personWithContacts(server, [
    { first: 'Zoe', last: 'Marsh', email: 'zoe@x.test', company: 'Copperline' },
  ])
  await openAs(page, person, '/crm/contacts')
  // Loads the code of the panel and of the dialog before the connection is lost.
  await page.getByRole('link', { name: 'Zoe Marsh' }).click()
  const note = page.getByRole('textbox', { name: 'Write a note' })
  await note.waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Add Contact' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('lea@x.test')
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('link', { name: 'lea@x.test' }).first().click()
  await note.fill('Met at the fair')
  const { data: id } = await person.client.rpc('upsert_contact', {
    p_brand_id: person.brandId,
    p_email: 'lea@x.test',
    p_first: 'Lea',
    p_last: 'Other',
  })
  await context.setOffline(false)
  await expect(page).toHaveURL(new RegExp(`/crm/contacts/${id}$`))
  await expect(page.getByRole('heading', { name: 'Lea Other' })).toBeVisible()
  await expect(note).toHaveValue('Met at the fair')
})
