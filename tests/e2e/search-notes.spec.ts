import { createPerson, expect, expectAccessible, openAs, test } from '../harness/browser.ts'
import { sidewaysScroll, smallTargets } from '../harness/phone-page.ts'
import { insertRow, personWithContacts } from './contact-seeds.ts'

test('contacts are found by their notes, listed below those found by name, with the words around the hit; offline only the notes on this device are searched', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await personWithContacts(server, [
    { first: 'Zoe', last: 'Marsh', email: 'zoe@x.test', company: 'Copperline' },
    { first: 'Corkery', last: 'Hale', email: 'hale@x.test' },
  ])
  const { data } = await ana.client.from('contacts').select('id').eq('email', 'zoe@x.test').single()
  const body = 'Visited the workshop and saw the new hall. Careful: **cork allergy**, so no mats of cork'
  const noteId = await insertRow(ana, 'notes', { body, contact_id: data?.id, occurred_at: '2026-01-05T10:00:00Z' })
  await openAs(page, ana, '/crm/contacts')
  const search = page.getByPlaceholder('Search contacts...')
  const inNotes = page.getByRole('region', { name: 'In notes' })
  await search.fill('CÓRK')
  await expect(page.getByRole('row').filter({ hasText: 'Corkery' })).toBeVisible()
  await expect(inNotes.getByRole('listitem')).toHaveText(/^Zoe Marsh… .*Careful: cork allergy, so no mats of cork/)
  const count = page.getByRole('status').filter({ hasText: /contact/ })
  await expect(count).toHaveText('1 contact · 1 in notes')
  await expect(inNotes).toContainText('In notes1 contact')
  await expectAccessible(page)

  // No contact has these words in its name or another field.
  await search.fill('allergy cork')
  await expect(inNotes.getByRole('listitem')).toHaveText(/^Zoe Marsh/)
  await expect(page.getByText('No contacts found matching your search')).toHaveCount(0)
  await expect(count).toHaveText('1 contact in notes')
  await expectAccessible(page)
  await inNotes.getByRole('link', { name: 'Zoe Marsh' }).press('Enter')
  await expect(page).toHaveURL(`/crm/contacts/${data?.id}#note-${noteId}`)
  await expect(page.getByRole('complementary', { name: 'Contact' }).getByRole('article')).toContainText('cork allergy')
  await page.keyboard.press('Escape')
  await expect(inNotes.getByRole('link', { name: 'Zoe Marsh' })).toBeFocused()

  await search.fill('allergy tin')
  await expect(page.getByText('No contacts found matching your search')).toBeVisible()
  await expect(inNotes).toHaveCount(0)
  await expect(count).toHaveText('0 contacts')

  await page.context().setOffline(true)
  await search.fill('workshop')
  await expect(inNotes.getByRole('listitem')).toHaveText(/^Zoe Marsh/)
  await expect(inNotes).toContainText('Only notes on this device')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(inNotes.getByRole('listitem')).toBeInViewport({ ratio: 1 })
  expect(await sidewaysScroll(page)).toEqual([])
  expect(await smallTargets(page)).toEqual([])
  await page.context().setOffline(false)
  await expect(inNotes).not.toContainText('Only notes on this device')
})

test('deals found by their notes are listed below the board, without those that the filter by owner hides', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const { data: stage } = await ana.client.from('deal_stages').select('id').eq('name', 'Incoming').single()
  const ownDeal = await insertRow(ana, 'deals', { name: 'Roof', stage_id: stage?.id, owner_id: ana.userId })
  const unownedDeal = await insertRow(ana, 'deals', { name: 'Gutter', stage_id: stage?.id, owner_id: null })
  await insertRow(ana, 'notes', { body: 'Slate, not tin', deal_id: ownDeal })
  await insertRow(ana, 'notes', { body: 'Tin is fine', deal_id: unownedDeal })
  await openAs(page, ana, '/crm/deals')
  await page.getByLabel('Search deals…').first().fill('tin')
  const hits = page.getByRole('region', { name: 'In notes' }).getByRole('listitem')
  await expect(hits).toHaveText([/^GutterTin is fine/, /^RoofSlate, not tin/])
  await expect(page.getByText('No deals found matching your search')).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/crm/deals?mine=1')
  await page.getByLabel('Search deals…').first().fill('tin')
  await expect(hits).toHaveText([/^Roof/])
})

test('an offline search without a hit says that the other notes are searched later, and shows their hits once online', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await personWithContacts(server, [
    { first: 'Zoe', last: 'Marsh', email: 'zoe@x.test', company: 'Copperline' },
  ])
  const { data: zoe } = await ana.client.from('contacts').select('id, company_id').eq('email', 'zoe@x.test').single()
  const { data: stage } = await ana.client.from('deal_stages').select('id').eq('name', 'Incoming').single()
  const roofId = await insertRow(ana, 'deals', { name: 'Roof', stage_id: stage?.id, owner_id: ana.userId })
  const lists = [
    { table: 'contacts', label: 'Search contacts...', body: 'Quarry', links: { contact_id: zoe?.id } },
    { table: 'companies', label: 'Search companies...', body: 'Granite', links: { company_id: zoe?.company_id } },
    { table: 'deals', label: 'Search deals…', body: 'Slate', links: { deal_id: roofId } },
  ]
  const inNotes = page.getByRole('region', { name: 'In notes' })
  for (const { table, label, body, links } of lists) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openAs(page, ana, `/crm/${table}`)
    const search = page.getByLabel(label).first()
    await search.fill('nowhere')
    await expect(page.getByRole('heading', { name: `No ${table} found matching your search` })).toBeVisible()
    await page.context().setOffline(true)
    await search.fill(body)
    const noHitsHeading = page.getByRole('heading', { name: `No ${table} found matching your search` })
    const searchedLaterHint = page.getByText(
      'Only notes on this device were searched. All are searched when you are online again.',
    )
    await expect(noHitsHeading).toBeVisible()
    await expect(searchedLaterHint).toBeVisible()
    if (table !== 'deals')
      await expect(page.getByRole('status').filter({ hasText: table })).toHaveText(`0 ${table} on this device`)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(noHitsHeading).toBeInViewport({ ratio: 1 })
    await expect(searchedLaterHint).toBeInViewport({ ratio: 1 })
    expect(await sidewaysScroll(page)).toEqual([])
    // This note is not on the device.
    await insertRow(ana, 'notes', { body, ...links })
    await page.context().setOffline(false)
    await expect(inNotes.getByRole('listitem')).toContainText([body])
    await expect(noHitsHeading).toHaveCount(0)
  }
})

test('while a busy server has not responded to a search, or the code of the search has not loaded, the page does not say that nothing was found', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await personWithContacts(server, [{ first: 'Zoe' }])
  const searchedLaterHint = page.getByText(
    'Only notes on this device were searched. All are searched when the server answers.',
  )
  const noHitsHeading = page.getByRole('heading', { name: 'No contacts found matching your search' })
  const search = page.getByPlaceholder('Search contacts...')
  await page.route('**/assets/note-hits*', (route) => route.abort())
  await openAs(page, ana, '/crm/contacts')
  await search.fill('quarry')
  await expect(searchedLaterHint).toBeVisible()

  await page.unroute('**/assets/note-hits*')
  await page.route('**/rpc/search_notes', (route) => route.fulfill({ status: 503, json: { message: 'busy' } }))
  await page.reload()
  await search.fill('quarry')
  await expect(searchedLaterHint).toBeVisible()
  await page.unroute('**/rpc/search_notes')
  await expect(searchedLaterHint).toHaveCount(0)
  await expect(noHitsHeading).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'contacts' })).toHaveText('0 contacts')
})
