import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { addOpenedMember } from '../harness/opened-member.ts'
import { insertRow, openContacts, personWithContacts, rowsWithText } from './contact-seeds.ts'

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

test('lists and the board are filtered by tags; the URL contains the filter, and each chip removes its tag', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, contacts)
  const [vipId, pressId] = [
    await insertRow(person, 'tags', { name: 'VIP', color: 'red' }),
    await insertRow(person, 'tags', { name: 'Press', color: 'teal' }),
  ]
  await tagContact(person, 'Mei', [vipId])
  await tagContact(person, 'Owen', [vipId, pressId])
  const { data: stages } = await person.client
    .from('deal_stages')
    .select('id')
    .eq('brand_id', person.brandId)
    .order('position')
  await insertRow(person, 'deals', { name: 'Tagged', amount: 5, stage_id: stages?.[0]?.id, tag_ids: [vipId] })
  await insertRow(person, 'deals', { name: 'Plain', amount: 7, stage_id: stages?.[0]?.id })

  await openContacts(page, person)
  const rows = page.locator('[data-row-focus]')
  await expect(rows).toHaveCount(3)
  const filter = page.getByRole('button', { name: /^Filter/ })
  await filter.click()
  const panel = page.getByRole('dialog', { name: 'Filter' })
  await expect(panel.getByRole('checkbox')).toHaveCount(2)
  // The first checkbox has the focus; arrow keys move to the next one.
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
  await expect(page).toHaveURL(new RegExp(`tags=${pressId}(,|%2C)${vipId}`))

  // The URL alone restores the filter. A tag in it that no longer exists is ignored.
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
  await person.client.from('tags').delete().eq('id', pressId).eq('brand_id', person.brandId)
  await expect(rows).toHaveCount(3)
  await expect(chips).toHaveCount(0)

  // On the phone the facets are in a sheet, and the on-screen keyboard stays closed.
  await page.setViewportSize({ width: 390, height: 844 })
  await filter.click()
  await expect(panel.getByRole('button', { name: 'Clear' })).toBeDisabled()
  await expect(panel.getByRole('checkbox', { name: 'VIP' })).not.toBeFocused()
  await panel.getByRole('checkbox', { name: 'VIP' }).check()
  await panel.getByRole('button', { name: 'Done' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`tags=${vipId}`))
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.goto(`/crm/deals?tags=${vipId}`)
  await expect(page.getByText('Tagged')).toBeVisible()
  await expect(page.getByText('Plain')).toHaveCount(0)
  await expect(page.getByRole('region', { name: /Incoming/ }).locator('header')).toContainText('£5')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Tags: VIP. Remove this filter' }).click()
  await expect(page.getByText('Plain')).toBeVisible()
  await expect(page).toHaveURL(/\/crm\/deals$/)
})

test('a tag is created while typing, shown as a chip, and renamed, recoloured, merged and deleted in Settings', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, contacts)
  await openContacts(page, person)
  await rowsWithText(page, 'Mei').click()
  const panel = page.getByRole('complementary', { name: 'Contact' })
  await panel.getByRole('button', { name: 'Add tags' }).click()
  const picker = page.getByRole('dialog', { name: 'Tags' })
  await expect(picker).toContainText('Type a name to add a tag.')
  await page.keyboard.type('VIP')
  await page.keyboard.press('Enter')
  await page.keyboard.type('press')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('vip')
  await expect(picker.getByRole('option')).toHaveText(['VIP'])
  await expect(picker.getByRole('option')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(picker).toHaveCount(0)
  const chips = panel.getByRole('list', { name: 'Tags' }).getByRole('listitem')
  await expect(chips).toHaveText(['press', 'VIP'])
  await expect(rowsWithText(page, 'Mei').getByRole('list', { name: 'Tags' })).toHaveText('press+1')

  await page.goto('/crm/settings')
  const card = page.getByRole('region', { name: 'Tags' })
  const line = (name: string) => card.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
  await expect(line('VIP')).toContainText('1 record')
  const newTagField = card.getByRole('textbox', { name: 'New tag' })
  await newTagField.fill('vip')
  await newTagField.press('Enter')
  await expect(card).toContainText('There is a tag with this name')
  await newTagField.fill('Key account')
  await newTagField.press('Enter')
  await expect(line('Key account')).toContainText('0 records')
  await line('press')
    .getByRole('button', { name: /^Colour of press/ })
    .click()
  await page.getByRole('menuitemradio', { name: 'Pink' }).click()
  await line('press')
    .getByRole('button', { name: /^Name of tag press/ })
    .click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Press')
  await page.keyboard.press('Enter')
  await expect(line('Press').getByRole('button', { name: 'Colour of Press: pink' })).toBeVisible()
  await expectAccessible(page)

  await line('VIP').getByRole('button', { name: 'More for VIP' }).click()
  await page.getByRole('menuitem', { name: 'Merge into…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge VIP into another tag?' })
  await expect(dialog).toContainText('1 record with VIP gets the other tag instead')
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Key account' }).click()
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(toastOf(page)).toContainText('VIP merged into Key account')
  await expect(line('Key account')).toContainText('1 record')
  await expect(line('VIP')).toHaveCount(0)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page)).toContainText('VIP is back')
  await expect(line('VIP')).toContainText('1 record')
  await expect(line('Key account')).toContainText('0 records')
  await line('Press').getByRole('button', { name: 'More for Press' }).click()
  await page.getByRole('menuitem', { name: 'Delete tag' }).click()
  await expect(toastOf(page)).toContainText('Tag deleted')
  await expect(line('Press')).toHaveCount(0)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(line('Press')).toContainText('1 record')

  // A member can choose existing tags only.
  const member = await createPerson(server, { name: 'bo' })
  await addOpenedMember(person, member)
  await openAs(page, member, '/crm/settings')
  await expect(card).toContainText('Admins and owners change tags.')
  await expect(card.getByRole('button')).toHaveCount(0)
  await openContacts(page, member)
  await rowsWithText(page, 'Tom').click()
  await panel.getByRole('button', { name: 'Add tags' }).click()
  await picker.getByRole('combobox').fill('Mine')
  await expect(picker).toContainText('No tag has this name. Admins and owners can add tags.')
  await picker.getByRole('combobox').fill('pre')
  await page.keyboard.press('Enter')
  await expect(chips).toHaveText(['Press'])
})

test('a tag is added to and removed from many records at once, and no other tag is lost', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithContacts(server, contacts)
  const [vipId, pressId] = [
    await insertRow(person, 'tags', { name: 'VIP', color: 'red' }),
    await insertRow(person, 'tags', { name: 'Press', color: 'teal' }),
  ]
  const manyContacts = Array.from({ length: 120 }, (_, n) => ({
    brand_id: person.brandId,
    email: `many${n}@x.example`,
  }))
  const { error } = await person.client.from('contacts').insert(manyContacts)
  expect(error).toBeNull()
  await tagContact(person, 'Mei', [pressId])
  await openContacts(page, person)
  await page.getByRole('searchbox').fill('acme')
  await page.getByRole('checkbox', { name: 'Select Mei' }).check({ force: true })
  await page.getByRole('checkbox', { name: 'Select Tom' }).check({ force: true })
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const choose = async (action: 'Add tag' | 'Remove tag', name: string) => {
    await bar.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('menuitem', { name: action }).click()
    const picker = page.getByRole('dialog', { name: action })
    await expect(picker.getByRole('combobox')).toBeFocused()
    await picker.getByRole('option', { name, exact: true }).click()
  }
  const tagsOf = async (first: string) => {
    const { data } = await person.client.from('contacts').select('tag_ids').eq('first_name', first).single()
    const ids: string[] = data?.tag_ids ?? []
    return ids.toSorted()
  }
  // A new name that begins with the name of a known tag is used as typed.
  await bar.getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('menuitem', { name: 'Add tag' }).click()
  const picker = page.getByRole('dialog', { name: 'Add tag' })
  await expect(picker.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('Press lunch')
  await expect(picker.getByRole('option')).toHaveText(['Add “Press lunch”'])
  await expect(bar).toContainText('2 selected')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('2 contacts tagged Press lunch')
  await expect(picker).toHaveCount(0)
  await expect.poll(async () => (await tagsOf('Tom')).length).toBe(1)
  await choose('Remove tag', 'Press lunch')
  await expect(toastOf(page)).toContainText('Press lunch removed from 2 contacts')
  await expect.poll(() => tagsOf('Tom')).toEqual([])
  await choose('Add tag', 'VIP')
  await expect(toastOf(page)).toContainText(/2 contacts tagged VIP(?! lunch)/)
  await expect(rowsWithText(page, 'Mei').getByRole('list', { name: 'Tags' })).toHaveText('Press+1')
  await expect.poll(() => tagsOf('Mei')).toEqual([vipId, pressId].sort())
  await expect.poll(() => tagsOf('Tom')).toEqual([vipId])
  // A colleague changes the tags of one record. 'Undo' reverts only the tags that the user added.
  await tagContact(person, 'Mei', [vipId])
  await expect(rowsWithText(page, 'Mei').getByRole('list', { name: 'Tags' })).toHaveText('VIP')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => tagsOf('Mei')).toEqual([])
  await expect.poll(() => tagsOf('Tom')).toEqual([])
  await tagContact(person, 'Owen', [pressId])

  await page.getByRole('searchbox').fill('')
  await expect(page.getByText('123 contacts')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await choose('Add tag', 'VIP')
  await expect(toastOf(page)).toContainText('123 contacts tagged VIP')
  await expect.poll(() => tagsOf('Owen')).toEqual([vipId, pressId].sort())
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => tagsOf('Owen')).toEqual([pressId])
  const untaggedCount = async () => {
    const ids = person.client.from('contacts').select('id', { count: 'exact', head: true })
    return (await ids.eq('brand_id', person.brandId).eq('tag_ids', '{}')).count
  }
  await expect.poll(untaggedCount).toBe(122)
})

test('tags created and changed offline are sent once, beside those of a colleague, and can be undone', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, contacts)
  const pressId = await insertRow(person, 'tags', { name: 'Press', color: 'teal' })
  await tagContact(person, 'Mei', [pressId])
  await openContacts(page, person)
  await rowsWithText(page, 'Mei').click()
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const chips = panel.getByRole('list', { name: 'Tags' }).getByRole('listitem')
  await expect(chips).toHaveText(['Press'])
  // Opens the picker once, which loads its code before the network is lost.
  await panel.getByRole('button', { name: 'Change tags' }).click()
  const picker = page.getByRole('dialog', { name: 'Tags' })
  await expect(picker.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.context().setOffline(true)
  await panel.getByRole('button', { name: 'Change tags' }).click()
  await expect(picker.getByRole('combobox')).toBeFocused()
  for (const name of ['Later', 'VIP']) {
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
  }
  await picker.getByRole('option', { name: 'Press' }).click()
  await page.keyboard.press('Escape')
  await expect(chips).toHaveText(['Later', 'VIP'])
  // Meanwhile a colleague creates a tag with the same name in lower case, and adds a further tag to the contact.
  const colleaguesTagId = await insertRow(person, 'tags', { name: 'vip', color: 'red' })
  const otherTagId = await insertRow(person, 'tags', { name: 'Other', color: 'blue' })
  await tagContact(person, 'Mei', [pressId, otherTagId])
  await page.context().setOffline(false)
  const meisTagNames = async () => {
    const { data } = await person.client.from('contacts').select('tag_ids').eq('first_name', 'Mei').single()
    const { data: tags } = await person.client.from('tags').select('id, name').eq('brand_id', person.brandId)
    const tagNames: string[] = (tags ?? []).flatMap(({ id, name }) => (data?.tag_ids.includes(id) ? [name] : []))
    return tagNames.toSorted()
  }
  await expect.poll(meisTagNames, { timeout: 20_000 }).toEqual(['Later', 'Other', 'vip'])
  await expect(chips).toHaveText(['Later', 'Other', 'vip'])
  const { data: vipTags } = await person.client.from('tags').select('id').ilike('name', 'vip')
  expect(vipTags).toEqual([{ id: colleaguesTagId }])
  await expect(page.getByText('All changes saved')).toBeVisible()

  // The last edit removed 'Press', so the undo adds it again.
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(meisTagNames).toEqual(['Later', 'Other', 'Press', 'vip'])
  await expect(chips).toHaveText(['Later', 'Other', 'Press', 'vip'])
})

test('each of several filter checkboxes takes effect, even if all are ticked before the list is rendered again', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, contacts)
  await insertRow(person, 'tags', { name: 'VIP', color: 'red' })
  await insertRow(person, 'tags', { name: 'Press', color: 'teal' })
  await openContacts(page, person)
  await page.getByRole('button', { name: /^Filter/ }).click()
  const boxes = page.getByRole('dialog', { name: 'Filter' }).getByRole('checkbox')
  await expect(boxes).toHaveCount(2)
  await boxes.evaluateAll((all) => {
    for (const box of all) if (box instanceof HTMLElement) box.click()
  })
  await expect(page.getByRole('list', { name: 'Filters' }).getByRole('button')).toHaveText(['Press', 'VIP'])
})
