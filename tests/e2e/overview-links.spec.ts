import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { personWithDeals, runAsOwnerRole } from './deal-seeds.ts'

const dayMs = 86_400_000
const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const pressedButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true, pressed: true })

/** Returns the number of deals in all columns of the board that are not folded. */
async function dealsOnBoard(page: Page): Promise<number> {
  const counts = await page.locator('[data-stage] h2 + span').allInnerTexts()
  return counts.reduce((sum, count) => sum + (Number(count) || 0), 0)
}

async function listedCount(page: Page): Promise<number> {
  return Number.parseInt((await page.getByRole('main').getByRole('status').innerText()) || '-1', 10)
}

async function openTaskCount(page: Page): Promise<number> {
  return Number((await region(page, 'Open Tasks').getByRole('heading', { level: 2 }).locator('+ *').innerText()) || -1)
}

test('every figure of the overview links to the records that it counts, and the count there is the same', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Refit', stage: 'Incoming', amount: 12_400, day: fromNow(0).slice(0, 10) },
    { name: 'Pilot', stage: 'Proposal', amount: 3_000, day: '2099-01-01' },
    { name: 'Signed', stage: 'Won', amount: 9_000, day: fromNow(0).slice(0, 10) },
    { name: 'Gone', stage: 'Lost', amount: 7_000 },
  ])
  for (const email of ['a@b.example', 'c@d.example']) await insertRow(person, 'contacts', { email })
  for (const name of ['Acme', 'Bolt']) await insertRow(person, 'companies', { name })
  // Triggers are off, because they revert a change of `created_at`.
  await runAsOwnerRole(
    server,
    `set session_replication_role = replica;
     update contacts set created_at = now() - interval '8 days' where email = 'c@d.example';
     update companies set created_at = now() - interval '8 days' where name = 'Bolt';
     reset session_replication_role`,
  )
  for (const [title, days] of [
    ['Late', -2],
    ['Very late', -3],
    ['Soon', 6.9],
    ['Later', 7.1],
  ] as const)
    await insertRow(person, 'tasks', { title, due_at: fromNow(days * dayMs) })
  await insertRow(person, 'tasks', { title: 'Some day' })
  await openAs(page, person, '/crm/overview')

  for (const [card, link, chip, urlPattern, count, countShown] of [
    ['Active Deals', 'Active Deals 2', 'Open stages', /deals\?show=open$/, 2, dealsOnBoard],
    ['Active Deals', '1 closes this month', 'Closing this month', /deals\?show=closing-this-month$/, 1, dealsOnBoard],
    ['Pipeline Value', 'Pipeline Value £15,400', 'Open stages', /deals\?show=open$/, 2, dealsOnBoard],
    ['Total Contacts', 'Total Contacts 2', null, /contacts$/, 2, listedCount],
    ['Total Contacts', '1 added this week', 'Added this week', /contacts\?show=added-this-week$/, 1, listedCount],
    ['Companies', '1 added this week', 'Added this week', /companies\?show=added-this-week$/, 1, listedCount],
    ['Open Tasks', 'Open Tasks 5', null, /tasks$/, 5, openTaskCount],
    ['Open Tasks', '2 overdue', 'Overdue', /tasks\?show=overdue$/, 2, openTaskCount],
    ['Due This Week', 'Due This Week 1', 'Due this week', /tasks\?show=due-this-week$/, 1, openTaskCount],
  ] as const) {
    await region(page, card).getByRole('link', { name: link, exact: true }).click()
    await expect(page).toHaveURL(urlPattern)
    await expect.poll(() => countShown(page), link).toBe(count)
    if (chip) await expect(pressedButton(page, chip)).toBeVisible()
    await page.goBack()
  }

  // If no task is left, the linked list says so and offers all open tasks.
  await region(page, 'Due This Week').getByRole('link', { name: '0 of them today' }).click()
  await expect(page.getByRole('heading', { name: 'No more tasks due today' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show all open tasks' }).click()
  await expect(page).toHaveURL(/tasks$/)
  await expect.poll(() => openTaskCount(page)).toBe(5)
  await page.goBack()

  await region(page, 'Pipeline by stage').getByRole('link', { name: 'Lost' }).click()
  await expect(region(page, 'Lost')).toBeFocused()
  await expect(region(page, 'Lost').getByText('Gone')).toBeInViewport()
  await page.goBack()
  await region(page, 'Active Deals').getByRole('link', { name: 'Active Deals 2' }).click()
  await expect(region(page, 'Won')).toHaveCount(0)
  await pressedButton(page, 'Open stages').click()
  await expect(page).toHaveURL(/deals$/)
  await expect(region(page, 'Won')).toBeVisible()
})

async function addMember(owner: Person, person: Person): Promise<void> {
  const args = { p_brand_id: owner.brandId, p_email: person.email, p_role: 'member' }
  const { error } = await owner.client.rpc('add_brand_member_by_email', args)
  if (error) throw new Error(error.message)
}

test("'Tasks due' shows the user's own tasks, or everyone's by a switch that is remembered; on the phone this section comes first", {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const bo = await createPerson(server, { name: 'bo' })
  await addMember(ana, bo)
  await insertRow(ana, 'tasks', { title: 'Bo calls', due_at: fromNow(-dayMs), assignee_id: bo.userId })
  await insertRow(ana, 'tasks', { title: 'Nobody calls', due_at: fromNow(dayMs) })
  // The app computes the same colour from both names, so it must give one person another colour: see src/web/lib/initials.test.ts.
  await runAsOwnerRole(server, 'update memberships set display_name = $1 where user_id = $2', [
    'Ana Hughes',
    ana.userId,
  ])
  await runAsOwnerRole(server, 'update memberships set display_name = $1 where user_id = $2', ['Bob Baker', bo.userId])
  await openAs(page, ana, '/crm/overview')
  const dueSection = region(page, 'Tasks due')
  await expect(dueSection.getByText('No open tasks of yours')).toBeVisible()
  await insertRow(ana, 'tasks', { title: 'I call', due_at: fromNow(2 * dayMs), assignee_id: ana.userId })
  await expect(dueSection.getByRole('listitem')).toHaveText([/^I call/])
  await dueSection.getByRole('link', { name: 'All my tasks' }).click()
  await expect(page).toHaveURL(/tasks\?mine=1$/)
  await expect.poll(() => openTaskCount(page)).toBe(1)
  await page.goBack()

  await dueSection.getByRole('tab', { name: 'Mine' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(dueSection.getByRole('tab', { name: 'Everyone' })).toBeFocused()
  await expect(dueSection.getByRole('listitem')).toHaveText([/^Bo calls/, /^Nobody calls/, /^I call/])
  const [firstTask, secondTask] = [dueSection.getByRole('listitem').nth(0), dueSection.getByRole('listitem').nth(1)]
  const colourOf = (avatar: Locator) => avatar.evaluate((element) => getComputedStyle(element).backgroundColor)
  const bosAvatar = firstTask.getByRole('img', { name: 'Assigned to Bob Baker' })
  const anasAvatar = dueSection.getByRole('listitem').nth(2).getByRole('img', { name: 'Assigned to Ana Hughes' })
  expect(await colourOf(bosAvatar)).not.toBe(await colourOf(anasAvatar))
  await expect(secondTask.getByRole('img')).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(dueSection.getByRole('listitem')).toHaveCount(3)
  await firstTask.getByRole('link', { name: 'Bo calls' }).click()
  await expect(page.getByRole('complementary', { name: 'Task' })).toBeVisible()
  await page.goBack()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(firstTask.getByText('Bo calls')).toBeInViewport()
  const regions = page.getByRole('main').locator('section[aria-label], section[aria-labelledby]')
  await expect(regions.first()).toHaveAccessibleName('Tasks due')
  await expect(regions.nth(1)).toHaveAccessibleName('Closing next')
  await expectAccessible(page)
})
