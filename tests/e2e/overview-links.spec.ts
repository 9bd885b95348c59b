import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { personWithDeals, sql } from './deal-seeds.ts'

const day = 86_400_000
const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const isPressed = (page: Page, name: string) => page.getByRole('button', { name, exact: true, pressed: true })

/** Returns the number of deals in all columns of the board that are not folded. */
async function dealsOnBoard(page: Page): Promise<number> {
  const counts = await page.locator('[data-stage] h2 + span').allInnerTexts()
  return counts.reduce((sum, count) => sum + (Number(count) || 0), 0)
}

async function listed(page: Page): Promise<number> {
  return Number.parseInt((await page.getByRole('main').getByRole('status').innerText()) || '-1', 10)
}

async function openTasks(page: Page): Promise<number> {
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
  await sql(
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
    await insertRow(person, 'tasks', { title, due_at: fromNow(days * day) })
  await insertRow(person, 'tasks', { title: 'Some day' })
  await openAs(page, person, '/crm/overview')

  for (const [card, link, chip, address, count, counted] of [
    ['Active Deals', 'Active Deals 2', 'Open stages', /deals\?show=open$/, 2, dealsOnBoard],
    ['Active Deals', '1 closes this month', 'Closing this month', /deals\?show=closing-this-month$/, 1, dealsOnBoard],
    ['Pipeline Value', 'Pipeline Value £15,400', 'Open stages', /deals\?show=open$/, 2, dealsOnBoard],
    ['Total Contacts', 'Total Contacts 2', null, /contacts$/, 2, listed],
    ['Total Contacts', '1 added this week', 'Added this week', /contacts\?show=added-this-week$/, 1, listed],
    ['Companies', '1 added this week', 'Added this week', /companies\?show=added-this-week$/, 1, listed],
    ['Open Tasks', 'Open Tasks 5', null, /tasks$/, 5, openTasks],
    ['Open Tasks', '2 overdue', 'Overdue', /tasks\?show=overdue$/, 2, openTasks],
    ['Due This Week', 'Due This Week 1', 'Due this week', /tasks\?show=due-this-week$/, 1, openTasks],
  ] as const) {
    await region(page, card).getByRole('link', { name: link, exact: true }).click()
    await expect(page).toHaveURL(address)
    await expect.poll(() => counted(page), link).toBe(count)
    if (chip) await expect(isPressed(page, chip)).toBeVisible()
    await page.goBack()
  }

  // If no task is left, the linked list says so and offers all open tasks.
  await region(page, 'Due This Week').getByRole('link', { name: '0 of them today' }).click()
  await expect(page.getByRole('heading', { name: 'No more tasks due today' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show all open tasks' }).click()
  await expect(page).toHaveURL(/tasks$/)
  await expect.poll(() => openTasks(page)).toBe(5)
  await page.goBack()

  await region(page, 'Pipeline by stage').getByRole('link', { name: 'Lost' }).click()
  await expect(region(page, 'Lost')).toBeFocused()
  await expect(region(page, 'Lost').getByText('Gone')).toBeInViewport()
  await page.goBack()
  await region(page, 'Active Deals').getByRole('link', { name: 'Active Deals 2' }).click()
  await expect(region(page, 'Won')).toHaveCount(0)
  await isPressed(page, 'Open stages').click()
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
  await insertRow(ana, 'tasks', { title: 'Bo calls', due_at: fromNow(-day), assignee_id: bo.userId })
  await insertRow(ana, 'tasks', { title: 'Nobody calls', due_at: fromNow(day) })
  // The app computes the same colour from both names, so it must give one person another colour: see src/web/lib/initials.test.ts.
  await sql(server, 'update memberships set display_name = $1 where user_id = $2', ['Ana Hughes', ana.userId])
  await sql(server, 'update memberships set display_name = $1 where user_id = $2', ['Bob Baker', bo.userId])
  await openAs(page, ana, '/crm/overview')
  const due = region(page, 'Tasks due')
  await expect(due.getByText('No open tasks of yours')).toBeVisible()
  await insertRow(ana, 'tasks', { title: 'I call', due_at: fromNow(2 * day), assignee_id: ana.userId })
  await expect(due.getByRole('listitem')).toHaveText([/^I call/])
  await due.getByRole('link', { name: 'All my tasks' }).click()
  await expect(page).toHaveURL(/tasks\?mine=1$/)
  await expect.poll(() => openTasks(page)).toBe(1)
  await page.goBack()

  await due.getByRole('tab', { name: 'Mine' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(due.getByRole('tab', { name: 'Everyone' })).toBeFocused()
  await expect(due.getByRole('listitem')).toHaveText([/^Bo calls/, /^Nobody calls/, /^I call/])
  const [first, second] = [due.getByRole('listitem').nth(0), due.getByRole('listitem').nth(1)]
  const colourOf = (avatar: Locator) => avatar.evaluate((element) => getComputedStyle(element).backgroundColor)
  const bosAvatar = first.getByRole('img', { name: 'Assigned to Bob Baker' })
  const mine = due.getByRole('listitem').nth(2).getByRole('img', { name: 'Assigned to Ana Hughes' })
  expect(await colourOf(bosAvatar)).not.toBe(await colourOf(mine))
  await expect(second.getByRole('img')).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(due.getByRole('listitem')).toHaveCount(3)
  await first.getByRole('link', { name: 'Bo calls' }).click()
  await expect(page.getByRole('complementary', { name: 'Task' })).toBeVisible()
  await page.goBack()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(first.getByText('Bo calls')).toBeInViewport()
  const regions = page.getByRole('main').locator('section[aria-label], section[aria-labelledby]')
  await expect(regions.first()).toHaveAccessibleName('Tasks due')
  await expect(regions.nth(1)).toHaveAccessibleName('Closing next')
  await expectAccessible(page)
})
