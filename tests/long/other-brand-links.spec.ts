import { createBrand, createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow } from '../e2e/contact-seeds.ts'

for (const [table, row, panelName, name] of [
  ['contacts', { email: 'kenji@hoshino.example' }, 'Contact', 'kenji@hoshino.example'],
  ['companies', { name: 'Hoshino Trading' }, 'Company', 'Hoshino Trading'],
  ['tasks', { title: 'Ring Kenji' }, 'Task', 'Ring Kenji'],
] as const) {
  test(`a link to one of the ${table} of another brand of the user switches to that brand`, async ({
    page,
    server,
  }) => {
    const person = await createPerson(server, { brand: 'Harbour' })
    const harbourId = person.brandId
    await createBrand(person, 'Orchard')
    const id = await insertRow(person, table, row)
    await insertRow({ ...person, brandId: harbourId }, table, row)
    await openAs(page, person, '/select-brand')
    await page.getByRole('listitem').filter({ hasText: 'Harbour' }).getByRole('button').click()
    await page.waitForURL('**/crm/overview')
    await page.goto(`/crm/${table}/${id}`)
    await expect(toastOf(page)).toContainText('Switched to Orchard')
    await expect(page).toHaveURL(new RegExp(`/crm/${table}/${id}$`))
    await expect(page.getByRole('complementary', { name: panelName })).toContainText(name)
    await expect(page.getByRole('banner')).toContainText('Orchard')
    await page.goto(`/crm/${table}/11111111-2222-4333-8444-555555555555`)
    await expect(page.getByRole('complementary', { name: panelName })).toContainText('Not found, or no access')
  })
}
