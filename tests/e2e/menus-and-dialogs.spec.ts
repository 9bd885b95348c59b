import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { tabToAndPressEnter, tabTo } from '../harness/keyboard.ts'
import { addOpenedMember } from '../harness/opened-member.ts'
import { insertRow } from './contact-seeds.ts'
import { personWithDeals } from './deal-seeds.ts'

async function addPipelineTagsAndFields(person: Person): Promise<void> {
  const pipeline = await insertRow(person, 'pipelines', { name: 'Partners' })
  await insertRow(person, 'deal_stages', { name: 'Talks', pipeline_id: pipeline })
  await insertRow(person, 'tags', { name: 'VIP', color: 'red' })
  await insertRow(person, 'tags', { name: 'Press', color: 'teal' })
  const options = [
    { id: crypto.randomUUID(), label: 'Fair' },
    { id: crypto.randomUUID(), label: 'Web' },
  ]
  await insertRow(person, 'custom_fields', { table: 'deals', label: 'Source', type: 'choice', options, position: 1 })
  await insertRow(person, 'custom_fields', { table: 'deals', label: 'Margin', type: 'number', position: 2 })
}

test('menus and dialogs of the pages have no accessibility violations, light and dark', {
  tag: '@long',
}, async ({ page, server }) => {
  // The test checks 23 menus and dialogs, each in both colour schemes.
  test.setTimeout(120_000)
  const person = await personWithDeals(server, [{ name: 'Roof', amount: 50 }])
  await addPipelineTagsAndFields(person)
  await insertRow(person, 'custom_fields', { table: 'contacts', label: 'Seats', type: 'number' })
  await insertRow(person, 'contacts', { first_name: 'Mei', email: 'mei@acme.example' })
  const member = await createPerson(server, { name: 'bo' })
  await addOpenedMember(person, member)
  await openAs(page, person, '/crm/deals')
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: typeof name === 'string' })
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true }).click()
  type Opened = [path: string, name: string, open: () => Promise<void>]
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const desktopLayers: Opened[] = [
    ['/crm/deals', 'Owner', () => button(/^Owner:/).click()],
    ['/crm/deals', 'Pipeline', () => button(/^Pipeline:/).click()],
    ['/crm/deals', 'New Deal', () => button('New Deal').click()],
    ['/crm/deals', 'Keyboard shortcuts', () => page.keyboard.press('?')],
    ['/crm/contacts', 'Account', () => button(/^Account:/).click()],
    ['/crm/contacts', 'Columns', () => button('Columns').click()],
    ['/crm/contacts', 'Filter', () => button('Filter').click()],
    [
      '/crm/contacts',
      'Tags of the selected',
      async () => {
        await page.getByRole('checkbox', { name: 'Select Mei' }).check()
        await button('Tags', bar).click()
      },
    ],
    ['/crm/contacts', 'Set field of the selected', () => button('Set field…', bar).click()],
    ['/crm/companies', 'Add Company', () => button('Add Company').click()],
    ['/crm/tasks', 'New Task', () => button('New Task').first().click()],
    ['/crm/settings', 'New stage', () => button('New stage in Sales').click()],
    ['/crm/settings', 'Edit stage', () => button('Proposal', card('Deal Stages')).click()],
    ['/crm/settings', 'New pipeline', () => button('New pipeline').click()],
    ['/crm/settings', 'Pipeline actions', () => button('More for Partners').click()],
    [
      '/crm/settings',
      'Delete pipeline',
      async () => {
        await button('More for Partners').click()
        await menuItem('Delete pipeline')
      },
    ],
    ['/crm/settings', 'Colours of a tag', () => button(/^Colour of VIP/).click()],
    [
      '/crm/settings',
      'Merge tag',
      async () => {
        await button('More for VIP').click()
        await menuItem('Merge into…')
      },
    ],
    ['/crm/settings?tab=fields', 'New field', () => button('Add field', card('Fields of deals')).click()],
    [
      '/crm/settings?tab=fields',
      'Edit field',
      async () => {
        await button('Actions for Source').click()
        await menuItem('Edit')
      },
    ],
  ]
  const phoneLayers: Opened[] = [
    ['/crm/contacts', 'Filter', () => button('Filter').click()],
    ['/crm/contacts', 'Notifications', () => button(/^Notifications/).click()],
    ['/crm/deals', 'Move to', () => button('Move Roof to stage').click()],
  ]
  const openLayers = page
    .getByRole('dialog')
    .or(page.getByRole('menu'))
    .or(page.getByRole('group', { name: 'Columns' }))
  let shownPath = ''
  const openEach = async (layersToOpen: readonly Opened[]) => {
    for (const [path, name, open] of layersToOpen) {
      await test.step(name, async () => {
        if (path !== shownPath) await page.goto(path)
        shownPath = path
        await open()
        await expect(openLayers.first()).toBeVisible()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(openLayers).toHaveCount(0)
      })
    }
  }
  await openEach(desktopLayers)
  await page.setViewportSize({ width: 390, height: 844 })
  shownPath = ''
  await openEach(phoneLayers)
})

test('by keyboard alone, Settings creates, moves and deletes a stage, creates and deletes a tag, and moves and retires a field', {
  tag: '@long',
}, async ({ page, server }) => {
  test.setTimeout(90_000)
  const person = await personWithDeals(server, [])
  await addPipelineTagsAndFields(person)
  await openAs(page, person, '/crm/settings')
  const stages = page.getByRole('list', { name: 'Stages of Sales' })
  await tabToAndPressEnter(page, page.getByRole('button', { name: 'New stage in Sales' }))
  await expect(page.getByRole('dialog').getByLabel('Stage name')).toBeFocused()
  await page.keyboard.type('Demo given')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(stages).toContainText('Demo given')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await tabTo(page, page.getByRole('button', { name: 'Move Demo given' }))
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  const moveHandle = page.getByRole('button', { name: 'Move Demo given' })
  await expect(moveHandle).toBeFocused()
  const stageNames = async () =>
    (await person.client.from('deal_stages').select('name').order('position').order('id')).data
      ?.map(({ name }) => name)
      .filter((name) => name !== 'Talks')
  await expect.poll(async () => (await stageNames())?.indexOf('Demo given')).toBe(4)
  await tabToAndPressEnter(page, stages.getByRole('button', { name: 'Demo given', exact: true }))
  await tabToAndPressEnter(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await tabToAndPressEnter(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
  await expect(toastOf(page)).toContainText('Stage deleted')
  await expect(stages).not.toContainText('Demo given')

  const tags = page.getByRole('region', { name: 'Tags', exact: true })
  await tabTo(page, tags.getByRole('textbox', { name: 'New tag' }))
  await page.keyboard.type('Key account')
  await page.keyboard.press('Enter')
  await expect(tags).toContainText('Key account')
  await tabToAndPressEnter(page, tags.getByRole('button', { name: 'More for Key account' }))
  await page.keyboard.type('delete')
  await page.keyboard.press('Enter')
  await expect(tags.getByText('Key account')).toHaveCount(0)

  await page.goto('/crm/settings?tab=fields')
  const fields = page.getByRole('list', { name: 'Fields of deals, in order' })
  await tabTo(page, page.getByRole('button', { name: 'Move Margin' }))
  await page.keyboard.press('ArrowUp')
  await expect(fields.getByRole('listitem').first()).toContainText('Margin')
  await expect(page.getByRole('button', { name: 'Move Margin' })).toBeFocused()
  await expect
    .poll(async () => (await person.client.from('custom_fields').select('label').order('position')).data)
    .toEqual([{ label: 'Margin' }, { label: 'Source' }])
  await tabToAndPressEnter(page, page.getByRole('button', { name: 'Actions for Source' }))
  await page.keyboard.type('retire')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('“Source” retired')
  await expect(fields).not.toContainText('Source')
})
