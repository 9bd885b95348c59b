import type { Page } from '@playwright/test'
import { createPerson, expect, newEmail, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

const openTasks = (page: Page) => page.getByRole('region', { name: 'Open Tasks' })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Task' })
const row = (page: Page, id: string) => page.locator(`[data-task="${id}"]`)

/** Returns the moment of a time of day (HH:MM) in London, `days` days from today, as ISO 8601 in UTC. */
function londonTime(days: number, time: string): string {
  const day = new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Europe/London' })
  const asUtc = new Date(`${day}T${time}:00Z`)
  const londonClock = asUtc.toLocaleTimeString('en-GB', {
    timeZone: 'Europe/London',
    hour: '2-digit',
    minute: '2-digit',
  })
  return new Date(asUtc.getTime() - (londonClock === time ? 0 : 3_600_000)).toISOString()
}

async function taskOf(person: Person, id: string): Promise<Record<string, unknown>> {
  const { data } = await person.client.from('tasks').select('*').eq('brand_id', person.brandId).eq('id', id).single()
  return data as Record<string, unknown>
}

test('open tasks are grouped as Overdue, Tomorrow, This week, Later and No date; the empty group Today is not shown', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'Someday' })
  for (const [title, due_at] of [
    ['Far', londonTime(20, '12:00')],
    ['Soon', londonTime(4, '12:00')],
    ['Next day', londonTime(1, '12:00')],
    ['Late', londonTime(-3, '12:00')],
  ]) {
    await insertRow(person, 'tasks', { title, due_at })
  }
  await openAs(page, person, '/crm/tasks')
  await expect(openTasks(page).getByRole('heading', { level: 3 })).toHaveText([
    'Overdue1',
    'Tomorrow1',
    'This week1',
    'Later1',
    'No date1',
  ])
})

test('one click postpones a task to tomorrow or next week at the same time of day, or at 09:00 if it had no date; Undo reverts it', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const due_at = londonTime(-3, '15:30')
  const id = await insertRow(person, 'tasks', { title: 'Call Margaret', due_at })
  const undatedId = await insertRow(person, 'tasks', { title: 'Order cups' })
  await openAs(page, person, '/crm/tasks')
  await row(page, id).hover()
  await row(page, id).getByRole('button', { name: 'Postpone Call Margaret to tomorrow' }).click()
  await expect(toastOf(page)).toContainText('Postponed to tomorrow')
  await expect(openTasks(page).getByRole('heading', { name: /^Tomorrow/ })).toBeVisible()
  await expect(row(page, id)).toContainText('15:30')
  await expect
    .poll(async () => Date.parse(String((await taskOf(person, id)).due_at)))
    .toBe(Date.parse(londonTime(1, '15:30')))
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, id)).toContainText('(Overdue)')
  await expect.poll(async () => Date.parse(String((await taskOf(person, id)).due_at))).toBe(Date.parse(due_at))

  await row(page, undatedId).hover()
  await row(page, undatedId).getByRole('button', { name: 'Postpone Order cups to next week' }).click()
  await expect(openTasks(page).getByRole('heading', { name: /^Later/ })).toBeVisible()
  await expect
    .poll(async () => Date.parse(String((await taskOf(person, undatedId)).due_at)))
    .toBe(Date.parse(londonTime(7, '09:00')))
})

test('Undo reopens a ticked task at its former position', { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  for (const [title, days] of [
    ['First', 1],
    ['Second', 2],
    ['Third', 3],
  ] as const) {
    await insertRow(person, 'tasks', { title, due_at: londonTime(days, '12:00') })
  }
  await openAs(page, person, '/crm/tasks')
  const titles = openTasks(page).locator('[data-task] a[id^="task-"]')
  await expect(titles).toHaveText(['First', 'Second', 'Third'])
  await page.getByRole('checkbox', { name: 'Complete Second' }).check()
  await expect(titles).toHaveText(['First', 'Third'])
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(titles).toHaveText(['First', 'Second', 'Third'])
})

test('a task has its own URL and opens beside the list, by a click and by its URL; Back and Escape close it', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'tasks', { title: 'Call Margaret' })
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('link', { name: 'Call Margaret' }).click()
  await expect(page).toHaveURL(new RegExp(`/crm/tasks/${id}$`))
  await expect(panel(page)).toContainText('Call Margaret')
  await expect(openTasks(page)).toBeVisible()
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/crm\/tasks$/)
  await page.goto(`/crm/tasks/${id}`)
  await expect(panel(page)).toContainText('Call Margaret')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Call Margaret' })).toBeFocused()
  await page.goto('/crm/tasks/00000000-0000-4000-8000-000000000000')
  await expect(page.getByText('Not found, or no access')).toBeVisible()
})

test('title, due date, priority, contact and deal of a task are edited in place; an error is shown under the field', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const contact_id = await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei' })
  const stage = await person.client.from('deal_stages').select('id').eq('brand_id', person.brandId).limit(1).single()
  const deal_id = await insertRow(person, 'deals', { name: 'Analytics add-on', stage_id: stage.data?.id })
  const id = await insertRow(person, 'tasks', { title: 'Call' })
  await openAs(page, person, `/crm/tasks/${id}`)
  await panel(page)
    .getByRole('button', { name: /^Task title/ })
    .click()
  await panel(page).getByRole('textbox', { name: 'Task title' }).fill('  ')
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('Task title is required')
  await page.keyboard.press('Escape')
  await expect(panel(page).getByRole('button', { name: 'Task title: Call. Edit' })).toBeFocused()
  await page.keyboard.press('Enter')
  await panel(page).getByRole('textbox', { name: 'Task title' }).fill('Call Mei')
  await page.keyboard.press('Enter')
  await panel(page)
    .getByRole('button', { name: /^Due date/ })
    .click()
  await panel(page).getByLabel('Due date').fill('2031-05-06T07:30')
  await page.keyboard.press('Enter')
  await panel(page).getByRole('combobox', { name: 'Priority' }).click()
  await page.getByRole('option', { name: 'Urgent' }).click()
  await panel(page).getByRole('combobox', { name: 'Contact' }).fill('mei')
  await page.getByRole('option', { name: /Mei/ }).click()
  await panel(page).getByRole('combobox', { name: 'Deal' }).fill('analy')
  await page.getByRole('option', { name: /Analytics/ }).click()
  await expect(row(page, id)).toContainText('Call Mei')
  await expect
    .poll(() => taskOf(person, id))
    .toMatchObject({ title: 'Call Mei', priority: 'urgent', contact_id, deal_id })
  expect(new Date(String((await taskOf(person, id)).due_at)).toISOString()).toBe('2031-05-06T06:30:00.000Z')
  await panel(page).getByRole('link', { name: 'Open Analytics add-on' }).click()
  await expect(page).toHaveURL(new RegExp(`/crm/deals/${deal_id}$`))
})

test("a task is assigned to a member; 'Mine' shows the user's own tasks and is part of the URL", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const bo = await createPerson(server, { name: newEmail('bo').split('@')[0] })
  await person.client.rpc('add_brand_member_by_email', {
    p_brand_id: person.brandId,
    p_email: bo.email,
    p_role: 'member',
  })
  const ownTaskId = await insertRow(person, 'tasks', { title: 'Call Margaret', assignee_id: person.userId })
  await insertRow(person, 'tasks', { title: 'Nobody has it', assignee_id: null })
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect(page).toHaveURL(/[?&]mine=1/)
  await expect(openTasks(page)).not.toContainText('Nobody has it')
  await page.reload()
  await expect(row(page, ownTaskId)).toBeVisible()
  await expect(openTasks(page)).not.toContainText('Nobody has it')
  await page.getByRole('link', { name: 'Call Margaret' }).click()
  await panel(page).getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option', { name: bo.email.split('@')[0] }).click()
  await expect.poll(async () => (await taskOf(person, ownTaskId)).assignee_id).toBe(bo.userId)
  await expect(openTasks(page)).toContainText('No open tasks')
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect(row(page, ownTaskId).getByRole('img', { name: /^Assigned to bo/ })).toBeVisible()
})

test('a time that was changed in the calendar is saved by a press beside it', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'tasks', { title: 'Call Dana', due_at: londonTime(3, '09:00') })
  await openAs(page, person, `/crm/tasks/${id}`)
  await panel(page)
    .getByRole('button', { name: /^Due date/ })
    .click()
  await panel(page)
    .getByRole('button', { name: /Choose a date/ })
    .click()
  await page.getByRole('dialog', { name: 'Choose a date' }).getByLabel('Time').fill('14:30')
  await panel(page).getByRole('heading', { name: 'Call Dana' }).click()
  await expect
    .poll(async () => Date.parse(String((await taskOf(person, id)).due_at)))
    .toBe(Date.parse(londonTime(3, '14:30')))
  await expect(page.getByRole('dialog', { name: 'Choose a date' })).toHaveCount(0)
})
