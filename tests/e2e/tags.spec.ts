import { expect, expectAccessible, test } from '../harness/browser.ts'
import type { Person } from '../harness/browser.ts'
import { insert, openContacts, personWithContacts } from './contact-seeds.ts'

const contacts = [
  { first: 'Mei', email: 'mei@acme.example' },
  { first: 'Owen', email: 'owen@acme.example' },
  { first: 'Tom', email: 'tom@acme.example' },
]

async function tagContact(person: Person, first: string, tags: readonly string[]): Promise<void> {
  const { error } = await person.client
    .from('contacts')
    .update({ tag_ids: tags })
    .eq('brand_id', person.brandId)
    .eq('first_name', first)
  if (error) throw new Error(error.message)
}

test('lists and the board are filtered by tags; the filter is in the address, and each chip takes itself away', async ({
  page,
  server,
}) => {
  const person = await personWithContacts(server, contacts)
  const [vip, press] = [
    await insert(person, 'tags', { name: 'VIP', color: 'red' }),
    await insert(person, 'tags', { name: 'Press', color: 'teal' }),
  ]
  await tagContact(person, 'Mei', [vip])
  await tagContact(person, 'Owen', [vip, press])
  const { data: stages } = await person.client
    .from('deal_stages')
    .select('id')
    .eq('brand_id', person.brandId)
    .order('position')
  await insert(person, 'deals', { name: 'Tagged', amount: 5, stage_id: stages?.[0]?.id, tag_ids: [vip] })
  await insert(person, 'deals', { name: 'Plain', amount: 7, stage_id: stages?.[0]?.id })

  await openContacts(page, person)
  const rows = page.locator('[data-row-focus]')
  await expect(rows).toHaveCount(3)
  const filter = page.getByRole('button', { name: /^Filter/ })
  await filter.click()
  const panel = page.getByRole('dialog', { name: 'Filter' })
  await expect(panel.getByRole('checkbox')).toHaveCount(2)
  // The first box has the focus; arrows lead to the next one.
  await expect(panel.getByRole('checkbox', { name: 'Press' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(rows).toHaveText(['Owen'])
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(rows).toHaveText(['Mei', 'Owen'])
  await page.keyboard.press('Escape')
  await expect(filter).toBeFocused()
  await expect(filter).toHaveAccessibleName('Filter: 2 set')
  await expect(page).toHaveURL(new RegExp(`tags=${press}(,|%2C)${vip}`))

  // The address is enough. A tag that does not exist any more filters nothing.
  await page.reload()
  const chips = page.getByRole('list', { name: 'Filters' }).getByRole('button')
  await expect(chips).toHaveText(['Press', 'VIP'])
  await expect(rows).toHaveText(['Mei', 'Owen'])
  await page.getByRole('button', { name: 'Tags: VIP. Remove this filter' }).click()
  await expect(rows).toHaveText(['Owen'])
  await expect(chips).toHaveText(['Press'])
  await page.getByRole('searchbox').fill('mei')
  await expect(page.getByText('No contacts found matching your search')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await tagContact(person, 'Owen', [])
  await expect(page.getByText('Nothing matches the filter')).toBeVisible()
  await person.client.from('tags').delete().eq('id', press).eq('brand_id', person.brandId)
  await expect(rows).toHaveCount(3)
  await expect(chips).toHaveCount(0)

  await page.goto(`/crm/deals?tags=${vip}`)
  await expect(page.getByText('Tagged')).toBeVisible()
  await expect(page.getByText('Plain')).toHaveCount(0)
  await expect(page.getByRole('region', { name: /Incoming/ }).locator('header')).toContainText('£5')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Tags: VIP. Remove this filter' }).click()
  await expect(page.getByText('Plain')).toBeVisible()
  await expect(page).toHaveURL(/\/crm\/deals$/)
})
