import { expect, expectAccessible, test, toastOf } from '../harness/browser.ts'
import { insertRow, openContacts, personWithContacts, rowsWithText } from './contact-seeds.ts'

test('the forms for new records accept tags and a first note, offline too; Undo removes all of it', {
  tag: '@long',
}, async ({ page, context, server }) => {
  const person = await personWithContacts(server, [{ first: 'Mei', email: 'mei@acme.example' }])
  const vipId = await insertRow(person, 'tags', { name: 'VIP', color: 'red' })
  const storedNotes = async () => {
    const { data } = await person.client
      .from('notes')
      .select('body, contact_id, company_id, deal_id')
      .order('created_at')
    return data ?? []
  }
  await openContacts(page, person)
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  const picker = page.getByRole('dialog', { name: 'Tags' })
  const writeNote = async (note: string) => {
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.keyboard.type(note)
  }
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  await dialog.getByLabel('Email').fill('tom@acme.example')
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Add tags' }).click()
  await picker.getByRole('option', { name: 'VIP' }).click()
  await page.keyboard.type('Fair')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(picker).toHaveCount(0)
  await expect(dialog.getByRole('listitem')).toHaveText(['Fair', 'VIP'])
  await writeNote('Met at the fair')
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await expectAccessible(page)
  // All input is kept as a draft: the form is closed, the page is reloaded, and the form is opened again.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue('Met at the fair')
  await expect(dialog.getByRole('listitem')).toHaveText(['Fair', 'VIP'])
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(rowsWithText(page, 'tom@acme.example').getByRole('list', { name: 'Tags' })).toHaveText('Fair+1')
  await expect.poll(storedNotes).toMatchObject([{ body: 'Met at the fair' }])
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rowsWithText(page, 'tom@acme.example')).toHaveCount(0)
  await expect.poll(storedNotes).toEqual([])

  // If the contact exists, the note is added to it.
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveCount(0)
  await dialog.getByLabel('Email').fill('mei@acme.example')
  await writeNote('Called back')
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect.poll(storedNotes).toMatchObject([{ body: 'Called back' }])

  await page.goto('/crm/deals')
  await expect(page.getByRole('heading', { name: 'Deals Pipeline' })).toBeVisible()
  const dealDialog = page.getByRole('dialog', { name: 'New Deal' })
  // The code of the form is loaded before the network is lost.
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await dealDialog.getByRole('button', { name: 'Add tags' }).click()
  await picker.getByRole('option', { name: 'VIP' }).click()
  await page.keyboard.press('Escape')
  await context.setOffline(true)
  await dealDialog.getByLabel('Deal name').fill('Offline lights')
  await writeNote('Wants them by May')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dealDialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Offline lights' })).toBeVisible()
  await context.setOffline(false)
  const createdDeals = async () => {
    const { data } = await person.client.from('deals').select('id, tag_ids').eq('name', 'Offline lights')
    return data ?? []
  }
  await expect.poll(createdDeals).toMatchObject([{ tag_ids: [vipId] }])
  const [{ id } = { id: '' }] = await createdDeals()
  await expect.poll(storedNotes).toMatchObject([{ body: 'Called back' }, { body: 'Wants them by May', deal_id: id }])
})
