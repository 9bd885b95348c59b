import type { Page } from '@playwright/test'
import {
  createPerson,
  expect,
  expectAccessible,
  openAs,
  openContext,
  type Person,
  test,
  toastOf,
} from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'
import { stagesOf } from './deal-seeds.ts'

/** Creates a brand with its owner Ana and the members Bo and Kim. Bo looks after a deal, a contact and two tasks. */
async function makeTeam(server: TestServer): Promise<{ ana: Person; bo: Person; kim: Person; deal: string }> {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const [bo, kim] = [await createPerson(server, { name: 'bo' }), await createPerson(server, { name: 'kim' })]
  const names = new Map([
    [ana, 'Ana Weber'],
    [bo, 'Bo Bell'],
    [kim, 'Kim Lee'],
  ])
  for (const [person, display_name] of names) {
    if (person !== ana)
      await ana.client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: person.email })
    await person.client.from('memberships').update({ display_name }).eq('user_id', person.userId)
  }
  const [deal, brand_id] = [crypto.randomUUID(), ana.brandId]
  const stage_id = (await stagesOf(ana)).get('Incoming')
  for (const [table, row] of [
    ['deals', { brand_id, id: deal, name: 'Migration', stage_id, owner_id: bo.userId }],
    ['contacts', { brand_id, email: 'zoe@acme.example', owner_id: bo.userId }],
    ['tasks', { brand_id, title: 'Call', assignee_id: bo.userId }],
    ['tasks', { brand_id, title: 'Write', assignee_id: bo.userId }],
  ] as const)
    expect((await bo.client.from(table).insert(row)).error).toBeNull()
  return { ana, bo, kim, deal }
}

const ownerOf = (page: Page) =>
  page.getByRole('complementary', { name: 'Deal' }).getByRole('combobox', { name: 'Owner' })

async function openConfirmation(page: Page, person: Person, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${person.email}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a person who removes a member, or leaves, chooses who takes over the records, and a colleague sees it at once', {
  tag: '@long',
}, async ({ page, server, browser }) => {
  const { ana, bo, kim, deal } = await makeTeam(server)
  const context = await openContext(browser, server)
  const kimsPage = await context.newPage()
  await openAs(kimsPage, kim, `/crm/deals/${deal}`)
  await expect(ownerOf(kimsPage)).toContainText('Bo Bell')

  await openAs(page, ana, '/crm/settings')
  await openConfirmation(page, bo, 'Remove from brand')
  const dialog = page.getByRole('dialog', { name: 'Remove Bo Bell?' })
  const question = dialog.getByRole('combobox', { name: 'Who takes over 2 tasks, 1 deal and 1 contact?' })
  await expect(question).toContainText('Ana Weber (you)')
  await question.click()
  await expect(page.getByRole('option')).toContainText(['Ana Weber (you)', 'Kim Lee', 'Nobody'])
  await page.getByRole('option', { name: 'Kim Lee' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Current Members (2)')).toBeVisible()
  await expect(toastOf(page)).toContainText('Bo Bell is no longer a member')
  await expect(toastOf(page)).toContainText(
    'Now with Kim Lee: 2 tasks, 1 deal and 1 contact. They stay there if Bo Bell is added again.',
  )
  await expect(ownerOf(kimsPage)).toContainText('Kim Lee')
  const { data: tasks } = await ana.client.from('tasks').select('assignee_id').eq('brand_id', ana.brandId)
  expect(tasks).toEqual([{ assignee_id: kim.userId }, { assignee_id: kim.userId }])

  // The removal of the member can be undone, and so can a change of a role.
  await toastOf(page).getByRole('button', { name: 'Add again' }).click()
  await expect(page.getByText('Current Members (3)')).toBeVisible()
  const role = page.getByRole('button', { name: `role of ${kim.email}` })
  await role.click()
  await page.getByRole('menuitemradio', { name: 'Admin' }).click()
  await expect(toastOf(page)).toContainText('Kim Lee is an admin nowBefore: Member')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page)).toContainText('Kim Lee is a member again')
  await expect(role).toHaveText('Member')

  // 'Undo' restores a changed owner.
  await ownerOf(kimsPage).click()
  await kimsPage.getByRole('option', { name: 'Ana Weber' }).click()
  await expect(toastOf(kimsPage)).toContainText('Migration now with Ana Weber')
  await toastOf(kimsPage).getByRole('button', { name: 'Undo' }).click()
  await expect(ownerOf(kimsPage)).toContainText('Kim Lee')

  await kimsPage.goto('/crm/settings')
  await openConfirmation(kimsPage, kim, 'Leave brand')
  const leaveDialog = kimsPage.getByRole('dialog', { name: /^Leave Harbour/ })
  await expect(leaveDialog.getByRole('combobox', { name: /^Who takes over / })).toContainText('Ana Weber')
  await leaveDialog.getByRole('button', { name: 'Leave' }).click()
  await expect(kimsPage).toHaveURL(/\/select-brand$/)
  const { data } = await ana.client.from('deals').select('owner_id').eq('id', deal)
  expect(data).toEqual([{ owner_id: ana.userId }])
  await context.close()
})

test('Undo restores the former owner of each selected record, and skips records that a colleague changed meanwhile', {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana, bo, kim } = await makeTeam(server)
  await ana.client.from('contacts').insert({ brand_id: ana.brandId, email: 'mei@acme.example', owner_id: kim.userId })
  const ownerNames = async () => {
    const { data } = await ana.client.from('contacts').select('owner_id').eq('brand_id', ana.brandId).order('email')
    return data?.map(({ owner_id }) => [ana, bo, kim].find(({ userId }) => userId === owner_id)?.email.split('-')[0])
  }
  await openAs(page, ana, '/crm/contacts')
  const giveTo = async (name: string) => {
    for (const email of ['zoe', 'mei']) await page.getByRole('row', { name: email }).getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Owner' }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(toastOf(page)).toContainText(`2 contacts now with ${name}`)
    await page.keyboard.press('Escape')
  }
  await giveTo('Ana Weber')
  expect(await ownerNames()).toEqual(['ana', 'ana'])
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(ownerNames).toEqual(['kim', 'bo'])

  await giveTo('Ana Weber')
  const { error } = await bo.client.from('contacts').update({ owner_id: bo.userId }).eq('email', 'mei@acme.example')
  expect(error).toBeNull()
  await page.getByRole('row', { name: 'mei' }).getByText('mei@acme.example').first().click()
  await expect(page.getByRole('combobox', { name: 'Owner' })).toContainText('Bo Bell')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(ownerNames).toEqual(['bo', 'bo'])
  await expect(toastOf(page)).toContainText(/Bo Bell/)
})
