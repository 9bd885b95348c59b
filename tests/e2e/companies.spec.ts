import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { personWithDeals, stagesOf } from './deal-seeds.ts'

const acme = {
  name: 'Acme Fixings',
  domain: 'acmefixings.example',
  website: 'https://www.acmefixings.example/about',
  phone: '+44 121 496 0177',
  notes: 'Renewed for three years. '.repeat(12),
}

test("spec 2: /crm/companies: Title 'Companies'. 'Add Company' dialog. Cards show name, domain, website as an external link, phone and notes (2 lines). With no details: 'No additional details'.", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'companies', acme)
  await insertRow(person, 'companies', { name: 'Fathom Analytics' })
  await insertRow(person, 'companies', { name: 'Sly', website: 'javascript:alert(1)' })
  await openAs(page, person, '/crm/companies')
  await expect(page.getByRole('heading', { name: 'Companies', level: 1, exact: true })).toBeVisible()
  const card = page.getByRole('article').filter({ hasText: 'Acme Fixings' })
  for (const fact of ['acmefixings.example', '+44 121 496 0177', 'Renewed for three years.']) {
    await expect(card).toContainText(fact)
  }
  const link = card.getByRole('link', { name: 'www.acmefixings.example/about' })
  await expect(link).toHaveAttribute('href', acme.website)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  const notes = card.getByText('Renewed for three years.')
  expect(await notes.evaluate((element) => element.clientHeight)).toBeLessThanOrEqual(2 * 20)
  expect(await notes.evaluate((element) => element.scrollHeight)).toBeGreaterThan(2 * 20)
  const bareCard = page.getByRole('article').filter({ hasText: 'Fathom Analytics' })
  await expect(bareCard).toContainText('No additional details')
  const slyCard = page.getByRole('article').filter({ hasText: 'Sly' })
  await expect(slyCard).toContainText('javascript:alert(1)')
  // The only link leads to the company's panel: a `javascript:` URL becomes no link.
  await expect(slyCard.getByRole('link')).toHaveCount(1)
  await expect(slyCard.getByRole('link', { name: 'Sly' })).toHaveAttribute('href', /^\/crm\/companies\//)
  await page.getByRole('button', { name: 'Add Company', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Add Company', exact: true }).getByLabel('Company name')).toBeFocused()
})

test('a card shows how many contacts and deals a company has and the open value by currency, and is as high as its content', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Refit', amount: 12_400, company: 'Copperline' },
    { name: 'Bare', company: 'Tern' },
  ])
  const [copperlineId, ternId] = await Promise.all(['Copperline', 'Tern'].map((name) => companyIdOf(person, name)))
  const stages = await stagesOf(person)
  const dealColumns = { company_id: copperlineId, amount: 3_000, amount_currency: 'EUR' }
  await insertRow(person, 'deals', { ...dealColumns, name: 'Pilot', stage_id: stages.get('Proposal') })
  await insertRow(person, 'deals', { ...dealColumns, name: 'Signed', stage_id: stages.get('Won') })
  await insertRow(person, 'contacts', { email: 'a@b.example', company_id: copperlineId })
  await person.client.from('deals').delete().eq('company_id', ternId)
  await openAs(page, person, '/crm/companies')
  const card = (name: string) => page.getByRole('article').filter({ hasText: name })
  await expect(card('Copperline')).toContainText('1 contact · 3 deals · £12,400 + €3,000 open')
  await expect(card('Tern').getByText('No additional details')).toHaveCount(1)
  await expect(card('Tern')).not.toContainText('0 contacts')
  await insertRow(person, 'contacts', { email: 'c@d.example', company_id: copperlineId })
  await expect(card('Copperline')).toContainText('2 contacts · 3 deals')
  const ternHeight = async () => (await card('Tern').boundingBox())?.height ?? 0
  expect(await ternHeight()).toBeLessThan(150)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(ternHeight).toBeLessThan(110)
  // The company's panel shows the same sums of open deals as the card. The panel also lists the won deal.
  await card('Copperline').getByRole('link', { name: 'Copperline' }).click()
  const deals = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Deals' }) })
  await expect(deals).toContainText('£12,400 + €3,000 open')
  await expect(deals.getByRole('link', { name: /Signed/ })).toContainText('€3,000')
})

async function companyIdOf(person: Person, name: string): Promise<string> {
  const { data } = await person.client.from('companies').select('id').eq('brand_id', person.brandId).eq('name', name)
  return data?.[0]?.id
}

test("spec 2: /crm/companies: Search 'Search companies...' on name, domain and website. 'No companies found matching your search'.", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'companies', { name: 'Hoshino Trading KK', domain: 'hoshino.example' })
  await insertRow(person, 'companies', { name: 'Copperline', website: 'https://metal.example/CL' })
  await insertRow(person, 'companies', { name: 'Juniper', notes: 'hoshino knows them', phone: 'metal' })
  await openAs(page, person, '/crm/companies')
  await expect(page.getByText('3 companies')).toBeVisible()
  const search = page.getByPlaceholder('Search companies...', { exact: true })
  for (const [text, companyName] of [
    ['TRADING', 'Hoshino Trading KK'],
    ['Hoshino.EX', 'Hoshino Trading KK'],
    ['METAL.example', 'Copperline'],
  ] as const) {
    await search.fill(text)
    await expect(page.getByText('1 company', { exact: true })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByRole('article')).toContainText(companyName)
  }
  await search.fill('nothing like it')
  await expect(page.getByText('No companies found matching your search', { exact: true })).toBeVisible()
})

test("spec 2: /crm/companies: Empty states: 'No companies yet'", async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/companies')
  await expect(page.getByText('No companies yet', { exact: true })).toBeVisible()
  await expectAccessible(page)
})

test("spec 5: Company: name required ('Company name is required'); other fields optional, trimmed, null when empty.", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/companies')
  await page.getByRole('button', { name: 'Add Company', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Company' })
  await expect(dialog.getByRole('textbox', { name: 'Company name', exact: true })).toHaveAttribute(
    'aria-required',
    'true',
  )
  await expect(dialog.getByText('Required', { exact: true })).toHaveCount(1)
  await dialog.getByLabel('Company name').fill('  ')
  await dialog.getByRole('button', { name: 'Add Company' }).click()
  await expect(dialog.getByLabel('Company name')).toHaveAccessibleDescription('Company name is required')
  await expect(dialog.getByLabel('Company name')).toBeFocused()
  await dialog.getByLabel('Company name').fill(' Acme ')
  await dialog.getByLabel('Domain').fill(' acme.example ')
  await dialog.getByLabel('Phone').fill('   ')
  const insertRequest = page.waitForRequest(
    (request) => request.method() === 'POST' && /\/rest\/v1\/companies/.test(request.url()),
  )
  await dialog.getByRole('button', { name: 'Add Company' }).dblclick()
  const body: unknown = (await insertRequest).postDataJSON()
  expect(Array.isArray(body) ? body[0] : body).toMatchObject({
    brand_id: person.brandId,
    name: 'Acme',
    domain: 'acme.example',
    phone: null,
    website: null,
    notes: null,
  })
  await expect(dialog).toHaveCount(0)
  const { data } = await person.client.from('companies').select('name')
  expect(data).toEqual([{ name: 'Acme' }])
})

test("spec 8: Company: success 'Company added'", { tag: '@long' }, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/companies')
  await page.getByRole('button', { name: 'Add Company', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Company' })
  await dialog.getByLabel('Company name').fill('Acme')
  await dialog.getByRole('button', { name: 'Add Company' }).click()
  await expect(toastOf(page)).toHaveText(/^Company addedUndo$/)
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('article').filter({ hasText: 'Acme' })).toBeVisible()
  await page.getByRole('button', { name: 'Add Company', exact: true }).click()
  await expect(dialog.getByLabel('Company name')).toHaveValue('')
})

test("while a known company name is typed, 'Open' shows that company and 'Add anyway' adds another one", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'companies', acme)
  await openAs(page, person, '/crm/companies')
  await expect(page.getByRole('article')).toHaveCount(1)
  const addButton = page.getByRole('button', { name: 'Add Company', exact: true })
  await addButton.click()
  const dialog = page.getByRole('dialog', { name: 'Add Company' })
  const name = dialog.getByLabel('Company name')
  await name.fill('acme fix')
  await expect(dialog.getByText('exists')).toHaveCount(0)
  await name.fill(' ACME fixings')
  await expect(dialog.getByText('Acme Fixings exists', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Open' }).click()
  await expect(page).toHaveURL(new RegExp(`/crm/companies/${id}$`))
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('Escape')
  await addButton.click()
  await expect(name).toHaveValue(' ACME fixings')
  await dialog.getByRole('button', { name: 'Add anyway' }).click()
  await expect(toastOf(page)).toHaveText(/^Company addedUndo$/)
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(dialog).toHaveCount(0)

  // Enter alone adds no company with a known name: the form asks first, and a second Enter confirms.
  await addButton.click()
  await name.fill('Acme Fixings')
  const addAnywayButton = dialog.getByRole('button', { name: 'Add anyway' })
  // After the click, the app moves the focus to 'Add anyway'. This button then has a visible outline.
  await dialog.getByRole('button', { name: 'Add Company' }).click()
  await expect(addAnywayButton).toBeFocused()
  await expect(addAnywayButton).toHaveCSS('outline-style', 'solid')
  await name.focus()
  await page.keyboard.press('Enter')
  await expect(addAnywayButton).toBeFocused()
  await name.fill('acme Fixings')
  await expect(name).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Add anyway' })).toBeFocused()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(3)
  // The card is shown before the server has stored the company.
  const namesOnServer = async () => {
    const { data } = await person.client.from('companies').select('name').order('created_at')
    return data?.map((company) => company.name)
  }
  await expect.poll(namesOnServer).toEqual(['Acme Fixings', 'ACME fixings', 'acme Fixings'])
})

test("spec 8: Company: 'Error adding company'", { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/companies')
  await page.getByRole('button', { name: 'Add Company', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Company' })
  await dialog.getByLabel('Company name').fill('Acme')
  await dialog.getByLabel('Notes').fill('kept')
  // PostgreSQL refuses a name of 5,000 characters. The request is changed, because the field's `maxlength` prevents typing such a name.
  await page.route('**/rest/v1/companies*', async (route) => {
    const body = JSON.parse(route.request().postData() ?? '{}') as Record<string, unknown>
    await route.continue({ postData: JSON.stringify({ ...body, name: 'x'.repeat(5_000) }) })
  })
  await dialog.getByRole('button', { name: 'Add Company' }).click()
  await expect(toastOf(page)).toContainText('Error adding company')
  await expect(dialog.getByLabel('Company name')).toHaveValue('Acme')
  await expect(dialog.getByLabel('Notes')).toHaveValue('kept')
})

test('the companies page has no accessibility violations: cards, dialog, phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'companies', acme)
  await insertRow(person, 'companies', { name: 'Fathom Analytics' })
  await openAs(page, person, '/crm/companies')
  await page.getByRole('article').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add Company' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add Company' }).click()
  await page.getByText('Company name is required').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true })

  test('the checkbox of a company does not cover its name on a tablet', { tag: '@long' }, async ({ page, server }) => {
    const person = await createPerson(server, { brand: 'Harbour' })
    const name = 'Ashgrove Capital Partners LLP'
    await insertRow(person, 'companies', { name })
    await openAs(page, person, '/crm/companies')
    const checkboxBox = await page.getByRole('checkbox', { name: `Select ${name}` }).boundingBox()
    const textRight = await page.getByRole('link', { name }).evaluate((link) => {
      const range = document.createRange()
      range.selectNodeContents(link)
      return range.getBoundingClientRect().right
    })
    expect(textRight).toBeLessThanOrEqual(checkboxBox?.x ?? 0)
  })
})
