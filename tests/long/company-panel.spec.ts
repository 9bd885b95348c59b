import { createPerson, expectAccessible, openAs, test } from '../harness/browser.ts'
import { insertRow } from '../e2e/contact-seeds.ts'

test('the company panel and the selection have no accessibility violations', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'companies', { name: 'Kestrel', phone: '+44 161 496 0133', notes: 'Two depots' })
  await insertRow(person, 'contacts', { first_name: 'Mei', company_id: id })
  await openAs(page, person, `/crm/companies/${id}`)
  await page.getByRole('complementary', { name: 'Company' }).getByRole('link', { name: 'Mei' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select Kestrel' }).check()
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('Unlinks 1 contact').waitFor()
  await expectAccessible(page)
})
