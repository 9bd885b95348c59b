import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

test('a calendar URL is created, copied, renewed and turned off', { tag: '@long' }, async ({
  page,
  context,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const due_at = new Date(Date.now() + 86_400_000).toISOString()
  const id = await insertRow(person, 'tasks', { title: 'Call Margaret', due_at })
  await person.client.from('tasks').update({ assignee_id: person.userId }).eq('brand_id', person.brandId).eq('id', id)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, person, '/crm/settings')
  await page.getByRole('tab', { name: 'Notifications' }).click()
  const calendarCard = page.getByRole('region', { name: 'Calendar' })
  await calendarCard.getByRole('button', { name: 'Make address' }).click()
  const urlField = calendarCard.getByRole('textbox', { name: 'Calendar address' })
  await expect(calendarCard).toContainText('Copy the address now: it is shown only once')
  await expect(calendarCard).toContainText('Renew makes a new address, and the old one stops working')
  const firstUrl = await urlField.inputValue()
  await expect(calendarCard.getByRole('button', { name: 'Copy' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Calendar address copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(firstUrl)
  expect(await (await page.request.get(firstUrl)).text()).toContain('SUMMARY:Call Margaret')
  await expectAccessible(page)

  await calendarCard.getByRole('button', { name: 'Renew' }).click()
  const dialog = page.getByRole('dialog', { name: 'Renew the calendar address?' })
  await expect(dialog).toContainText('The old address stops working')
  await dialog.getByRole('button', { name: 'Renew' }).click()
  await expect(urlField).not.toHaveValue(firstUrl)
  const secondUrl = await urlField.inputValue()
  expect((await page.request.get(firstUrl)).status()).toBe(404)
  expect((await page.request.get(secondUrl)).status()).toBe(200)

  await page.reload()
  await expect(calendarCard).toContainText(/Your address was made on \d+ \w+ and cannot be shown again\. .*renew it/)
  await expect(urlField).toHaveCount(0)
  await expectAccessible(page)
  await calendarCard.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(calendarCard.getByRole('button', { name: 'Make address' })).toBeVisible()
  expect((await page.request.get(secondUrl)).status()).toBe(404)
})

test('after the other sessions were ended, the settings say that the calendar URL stopped working, and create a new one', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await person.client.rpc('make_calendar_feed')
  await person.client.rpc('end_other_sessions')
  await openAs(page, person, '/crm/settings')
  await page.getByRole('tab', { name: 'Notifications' }).click()
  const calendarCard = page.getByRole('region', { name: 'Calendar' })
  await expect(calendarCard).toContainText(
    'Your calendar address stopped working because sessions of your account were ended',
  )
  await expectAccessible(page)
  await calendarCard.getByRole('button', { name: 'Make address' }).click()
  const calendarUrl = await calendarCard.getByRole('textbox', { name: 'Calendar address' }).inputValue()
  expect((await page.request.get(calendarUrl)).status()).toBe(200)
  await expect(calendarCard).not.toContainText('Your calendar address stopped working')
})
