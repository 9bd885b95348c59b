import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

const hourMs = 3_600_000
const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

const panel = (page: Page, name: 'Open Tasks' | 'Completed') => page.getByRole('region', { name })

async function stageIdOf(person: Person): Promise<string> {
  const { data } = await person.client.from('deal_stages').select('id').eq('brand_id', person.brandId).limit(1).single()
  return data?.id
}

test("spec 2: /crm/tasks: Two panels: 'Open Tasks' with a count, and 'Completed' showing only the first 10 completed tasks.", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  for (const title of ['One', 'Two', 'Three']) await insertRow(person, 'tasks', { title })
  for (let index = 1; index <= 12; index += 1) {
    const id = await insertRow(person, 'tasks', { title: `Done ${index}.` })
    await person.client.from('tasks').update({ status: 'done' }).eq('brand_id', person.brandId).eq('id', id)
  }
  await openAs(page, person, '/crm/tasks')
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
  await expect(panel(page, 'Open Tasks').getByRole('heading', { name: 'Open Tasks', exact: true })).toBeVisible()
  await expect(panel(page, 'Open Tasks').getByText('3', { exact: true }).first()).toBeVisible()
  await expect(panel(page, 'Completed').getByRole('listitem')).toHaveCount(10)
  await expect(panel(page, 'Completed').getByRole('listitem').first()).toContainText('Done 12.')
  await expect(panel(page, 'Completed')).not.toContainText('Done 2.')
})

test('spec 2: /crm/tasks: Cards show title, related contact and deal badges, a priority badge and the due date.', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const contact_id = await insertRow(person, 'contacts', {
    email: 'mf@lh.example',
    first_name: 'Margaret',
    last_name: 'F',
  })
  const deal_id = await insertRow(person, 'deals', { name: 'Ward framework', stage_id: await stageIdOf(person) })
  await insertRow(person, 'tasks', {
    title: 'Send terms',
    contact_id,
    deal_id,
    priority: 'urgent',
    due_at: new Date(new Date().getFullYear() + 1, 0, 29, 15, 0).toISOString(),
  })
  await openAs(page, person, '/crm/tasks')
  const openTasks = panel(page, 'Open Tasks')
  for (const fact of [
    'Send terms',
    'Margaret F',
    'Ward framework',
    'Urgent',
    `29 Jan ${new Date().getFullYear() + 1}`,
  ]) {
    await expect(openTasks).toContainText(fact)
  }
})

test('the buttons that postpone a task do not cover the links to its contact and deal; open tasks are a list', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const contact_id = await insertRow(person, 'contacts', { email: 'mf@lh.example', first_name: 'Margaret' })
  const dealName = 'Framework for all wards of the eastern and the western hospital'
  const deal_id = await insertRow(person, 'deals', { name: dealName, stage_id: await stageIdOf(person) })
  for (const title of ['Send terms', 'Call'])
    await insertRow(person, 'tasks', { title, contact_id, deal_id, priority: 'urgent' })
  await openAs(page, person, '/crm/tasks')
  const tasks = page.getByRole('list', { name: 'Open Tasks' }).getByRole('listitem')
  await expect(tasks).toHaveCount(2)
  const task = tasks.filter({ hasText: 'Send terms' })
  await expect(task).toHaveAttribute('aria-setsize', '2')
  await task.hover()
  const postponeBox = await task.getByRole('button', { name: 'to tomorrow' }).boundingBox()
  for (const name of ['Margaret', dealName]) {
    const linkBox = await task.getByRole('link', { name }).boundingBox()
    expect(linkBox?.y).toBeGreaterThanOrEqual((postponeBox?.y ?? Infinity) + (postponeBox?.height ?? 0))
  }
})

test("spec 2: /crm/tasks: An overdue date is red and marked '(Overdue)'.", { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'Late', due_at: fromNow(-72 * hourMs) })
  await insertRow(person, 'tasks', { title: 'In time', due_at: fromNow(72 * hourMs) })
  await openAs(page, person, '/crm/tasks')
  const overdueDate = panel(page, 'Open Tasks').getByText('(Overdue)').last()
  await expect(overdueDate).toBeVisible()
  const dangerColour = await page.evaluate(() => {
    const probe = document.createElement('span')
    probe.style.color = 'var(--danger)'
    document.body.append(probe)
    return getComputedStyle(probe).color
  })
  await expect(overdueDate).toHaveCSS('color', dangerColour)
  await expect(panel(page, 'Open Tasks').getByText('(Overdue)')).toHaveCount(
    2 /* one is in the phone's line, which is hidden */,
  )
})

test("spec 2: /crm/tasks: Empty texts: 'No open tasks' and 'No completed tasks yet'.", async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/tasks')
  await expect(page.getByText('No open tasks', { exact: true })).toBeVisible()
  await expect(page.getByText('No completed tasks yet', { exact: true })).toBeVisible()
  // The two buttons that open the dialog have different names.
  await expect(page.getByRole('button', { name: 'New Task' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Add Task', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'New Task', exact: true })).toBeVisible()
})

test("spec 4: Task status: open to done and back by toggling the checkbox. Confirmations 'Task completed!' and 'Task reopened'.", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'tasks', { title: 'Call Margaret' })
  const statusOnServer = async () =>
    (await person.client.from('tasks').select('status').eq('brand_id', person.brandId).eq('id', id).single()).data
      ?.status
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('checkbox', { name: 'Complete Call Margaret' }).check()
  await expect(toastOf(page)).toContainText('Task completed!')
  await expect.poll(statusOnServer).toBe('done')
  await expect(panel(page, 'Open Tasks')).toContainText('No open tasks')
  await panel(page, 'Completed').getByRole('checkbox', { name: 'Reopen Call Margaret' }).click()
  await expect(toastOf(page)).toContainText('Task reopened')
  await expect.poll(statusOnServer).toBe('open')
  await expect(panel(page, 'Open Tasks').getByRole('checkbox', { name: 'Complete Call Margaret' })).toBeVisible()

  await page.getByRole('checkbox', { name: 'Complete Call Margaret' }).check()
  await expect(toastOf(page)).toContainText('Task completed!')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page)).toContainText('Undid: Call Margaret completed')
  await expect.poll(statusOnServer).toBe('open')
})

test('a ticked task stays struck through for a moment, so that no other task moves into its position; if it is the last one, the empty state waits too', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'First', due_at: fromNow(hourMs) })
  await insertRow(person, 'tasks', { title: 'Second', due_at: fromNow(2 * hourMs) })
  await openAs(page, person, '/crm/tasks')
  const openTasks = panel(page, 'Open Tasks')
  await openTasks.getByRole('checkbox', { name: 'Complete First' }).check()
  await expect(openTasks.getByText('First')).toHaveCSS('text-decoration-line', 'line-through')
  await expect(openTasks.getByText('First')).toHaveCount(0)
  await expect(openTasks.getByText('Second')).toBeVisible()
  const topOfSecond = async () => (await openTasks.getByText('Second').boundingBox())?.y
  const topBefore = await topOfSecond()
  await openTasks.getByRole('checkbox', { name: 'Complete Second' }).focus()
  await page.keyboard.press('Space')
  await expect(openTasks.getByText('Second')).toHaveCSS('text-decoration-line', 'line-through')
  expect(await topOfSecond()).toBe(topBefore)
  await expect(openTasks.getByText('No open tasks')).toHaveCount(0)
  await expect(openTasks.getByText('No open tasks')).toBeVisible()
  await expect(openTasks.getByText('Second')).toHaveCount(0)
  // Tab continues from the position of the removed task, not from the top of the page.
  await page.keyboard.press('Tab')
  await expect(openTasks.getByRole('button', { name: 'Add Task' })).toBeFocused()
})

test("spec 8: Task: 'Failed to update task'", { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'Call Margaret' })
  await openAs(page, person, '/crm/tasks')
  await page.route('**/rest/v1/tasks*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await route.continue({ postData: JSON.stringify({ status: 'neither' }) })
  })
  await page.getByRole('checkbox', { name: 'Complete Call Margaret' }).click()
  await expect(toastOf(page)).toContainText('Failed to update task')
  await expect(page.getByRole('checkbox', { name: 'Complete Call Margaret' })).not.toBeChecked()
})

test("spec 5: Task: title required ('Task title is required'); default priority normal; due date optional (date and time, or null).", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await expect(dialog.getByRole('textbox', { name: 'Task title', exact: true })).toHaveAttribute(
    'aria-required',
    'true',
  )
  await expect(dialog.getByText('Required', { exact: true })).toHaveCount(1)
  await dialog.getByLabel('Task title').fill('   ')
  await dialog.getByRole('button', { name: 'Create Task' }).click()
  await expect(dialog.getByLabel('Task title')).toHaveAccessibleDescription('Task title is required')
  await expect(dialog.getByRole('combobox', { name: 'Priority' })).toContainText('Normal')
  await dialog.getByLabel('Task title').fill(' Call back ')
  const insertRequest = page.waitForRequest(
    (request) => request.method() === 'POST' && /\/rest\/v1\/tasks/.test(request.url()),
  )
  await dialog.getByRole('button', { name: 'Create Task' }).dblclick()
  const body: unknown = (await insertRequest).postDataJSON()
  expect(Array.isArray(body) ? body[0] : body).toMatchObject({
    brand_id: person.brandId,
    title: 'Call back',
    due_at: null,
    priority: 'normal',
    status: 'open',
    contact_id: null,
    deal_id: null,
  })
  await expect(dialog).toHaveCount(0)
  expect((await person.client.from('tasks').select('title')).data).toEqual([{ title: 'Call back' }])
  await page.getByRole('button', { name: 'New Task', exact: true }).click()
  await expect(dialog.getByLabel('Task title')).toHaveValue('')
  await expect(dialog.getByText('Your draft is kept')).toHaveCount(0)
})

test("spec 8: Task: success 'Task created' (with all that was chosen)", { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei', last_name: 'Tanaka' })
  await insertRow(person, 'deals', { name: 'Analytics add-on', stage_id: await stageIdOf(person) })
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await dialog.getByLabel('Task title').fill('Send case study')
  await dialog.getByLabel('Due date').fill('2030-05-06T07:30')
  await dialog.getByRole('combobox', { name: 'Priority' }).click()
  await page.getByRole('option', { name: 'High' }).click()
  await dialog.getByLabel('Contact').fill('tana')
  await page.getByRole('option', { name: /Mei Tanaka/ }).click()
  await dialog.getByLabel('Deal').fill('analy')
  await page.getByRole('option', { name: /Analytics add-on/ }).click()
  await page.keyboard.press('Control+Enter')
  await expect(toastOf(page)).toContainText('Task created')
  for (const fact of ['Send case study', 'High', 'Mei Tanaka', 'Analytics add-on', '6 May 2030']) {
    await expect(panel(page, 'Open Tasks')).toContainText(fact)
  }
  const { data } = await person.client.from('tasks').select('due_at').single()
  expect(new Date(data?.due_at).toISOString()).toBe('2030-05-06T06:30:00.000Z')
})

test("spec 8: Task: 'Error creating task'", { tag: '@long' }, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await dialog.getByLabel('Task title').fill('Call back')
  await page.route('**/rest/v1/tasks*', async (route) => {
    const body = JSON.parse(route.request().postData() ?? '{}') as Record<string, unknown>
    await route.continue({ postData: JSON.stringify({ ...body, title: 'x'.repeat(10_000) }) })
  })
  await dialog.getByRole('button', { name: 'Create Task' }).click()
  await expect(toastOf(page)).toContainText('Error creating task')
  await expect(dialog.getByLabel('Task title')).toHaveValue('Call back')
})

test('the tasks page has no accessibility violations: panels, dialog, phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const contact_id = await insertRow(person, 'contacts', { email: 'mf@lh.example', first_name: 'Margaret' })
  await insertRow(person, 'tasks', { title: 'Late', due_at: fromNow(-72 * hourMs), priority: 'high', contact_id })
  await insertRow(person, 'tasks', { title: 'Low', priority: 'low' })
  const id = await insertRow(person, 'tasks', { title: 'Done' })
  await person.client.from('tasks').update({ status: 'done' }).eq('brand_id', person.brandId).eq('id', id)
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('checkbox').nth(2).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New Task' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create Task' }).click()
  await page.getByText('Task title is required').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('tab', { name: 'Completed' }).waitFor()
  await expectAccessible(page)
})
