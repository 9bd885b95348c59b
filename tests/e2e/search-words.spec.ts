import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

/** Returns the texts that are marked as matches, sorted. */
const markedTexts = (page: Page) =>
  page.evaluate(() =>
    [...(CSS.highlights.get('searched') ?? [])]
      .flatMap((range) => (range instanceof Range ? [range.toString()] : []))
      .sort(),
  )

test('a contact is found by words in any order, by part of a number and without accents, and the matches are marked', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const companyId = await insertRow(ana, 'companies', { name: 'Hafenlogistik' })
  const anja = { first_name: 'Anja', last_name: 'Vögt', email: 'anja@vogt.example', phone: '+49 171 2345-678' }
  const contactId = await insertRow(ana, 'contacts', { ...anja, title: 'Einkauf', company_id: companyId })
  await insertRow(ana, 'contacts', { first_name: 'Tom', last_name: 'Hale', email: 'tom@hale.example' })
  const { data: stages } = await ana.client
    .from('deal_stages')
    .select('id')
    .eq('brand_id', ana.brandId)
    .order('position')
    .limit(1)
  await insertRow(ana, 'deals', {
    name: 'Kräne 2027',
    stage_id: stages?.[0]?.id,
    contact_id: contactId,
    company_id: companyId,
  })
  await openAs(page, ana, '/crm/contacts')
  await expect(page.getByText('Tom Hale')).toBeVisible()
  const search = page.getByPlaceholder('Search contacts...')
  for (const [typed, matches] of [
    ['voegt hafen', ['Hafen', 'Vögt']],
    ['VOGT anja', ['anja', 'Anja', 'Vögt', 'vogt']],
    ['0171/2345', ['171 2345']],
    ['einkauf', ['Einkauf']],
  ] as const) {
    await search.fill(typed)
    await expect(page.getByText('Tom Hale')).toBeHidden()
    await expect(page.getByText('Anja Vögt')).toBeVisible()
    await expect.poll(() => markedTexts(page), typed).toEqual([...matches].sort())
  }
  await search.fill('')
  await expect(page.getByText('Tom Hale')).toBeVisible()
  await expect.poll(() => markedTexts(page)).toEqual([])

  await page.getByRole('link', { name: 'Deals' }).first().click()
  await page.getByPlaceholder('Search deals…').or(page.getByLabel('Search deals…')).first().fill('krane anja')
  await expect.poll(() => markedTexts(page)).toEqual(['Anja', 'Kräne'])
})
