import { createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

const dayMs = 86_400_000
const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

test("spec 2: /crm/tasks: Title 'Tasks'. 'New Task' dialog.", async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/tasks')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task', exact: true })
  for (const field of ['Task title', 'Due date', 'Priority', 'Contact', 'Deal']) {
    await expect(dialog.getByLabel(field, { exact: true })).toBeVisible()
  }
})

test('spec 3: task: priority (low, normal, high, urgent; default normal)', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  // The database sets the default and refuses an unknown value.
  const id = await insertRow(person, 'tasks', { title: 'Without a word about it' })
  const storedTask = await person.client.from('tasks').select('priority').eq('id', id).single()
  expect(storedTask.data).toEqual({ priority: 'normal' })
  const refusedUpdate = await person.client.from('tasks').update({ priority: 'critical' }).eq('id', id)
  expect(refusedUpdate.error?.code).toBe('23514')
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const priority = page.getByRole('dialog').getByRole('combobox', { name: 'Priority' })
  await expect(priority).toContainText('Normal')
  await priority.click()
  await expect(page.getByRole('option')).toHaveText(['Low', 'Normal', 'High', 'Urgent'])
})

test('spec 4: Task status: new tasks start open', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  await page.getByLabel('Task title').fill('Call Margaret')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Task created')
  await expect(page.getByRole('region', { name: 'Open Tasks' }).getByText('Call Margaret').first()).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Complete Call Margaret' })).not.toBeChecked()
  const { data } = await person.client.from('tasks').select('status, priority')
  expect(data).toEqual([{ status: 'open', priority: 'normal' }])
})

test("spec 4: Realtime: the task list refreshes on any change to the brand's tasks.", async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'tasks', { title: 'Call Margaret' })
  await openAs(page, person, '/crm/tasks')
  const openTasks = page.getByRole('region', { name: 'Open Tasks' })
  const completed = page.getByRole('region', { name: 'Completed' })
  await expect(openTasks.getByText('Call Margaret').first()).toBeVisible()
  const secondId = await insertRow(person, 'tasks', { title: 'From a colleague', priority: 'urgent' })
  await expect(openTasks.getByText('From a colleague').first()).toBeVisible()
  await person.client.from('tasks').update({ status: 'done' }).eq('brand_id', person.brandId).eq('id', id)
  await expect(completed.getByText('Call Margaret').first()).toBeVisible()
  await expect(openTasks.getByText('Call Margaret')).toHaveCount(0)
  await person.client.from('tasks').delete().eq('brand_id', person.brandId).eq('id', secondId)
  await expect(openTasks).toContainText('No open tasks')
})

test("spec 2: /crm/tasks: An overdue date is red and marked '(Overdue)'. (its computed colour is red, light and dark; no mark on a task that is not due yet or is done)", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'Late', due_at: fromNow(-3 * dayMs) })
  await insertRow(person, 'tasks', { title: 'In time', due_at: fromNow(3 * dayMs) })
  await insertRow(person, 'tasks', { title: 'Done late', due_at: fromNow(-3 * dayMs), status: 'done' })
  await openAs(page, person, '/crm/tasks')
  const overdueMark = page.getByRole('region', { name: 'Open Tasks' }).getByText('(Overdue)').filter({ visible: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(overdueMark).toBeVisible()
    const [red = 0, green = 0, blue = 0] = await overdueMark.evaluate((element) => {
      const context = document.createElement('canvas').getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = getComputedStyle(element).color
      context.fillRect(0, 0, 1, 1)
      return [...context.getImageData(0, 0, 1, 1).data]
    })
    expect(red).toBeGreaterThan(150)
    expect(red).toBeGreaterThan(1.4 * Math.max(green, blue))
  }
  await expect(overdueMark).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Completed' })).toContainText('Done late')
  await expect(page.getByRole('region', { name: 'Completed' })).not.toContainText('(Overdue)')
})

test('spec 9: Completed tasks list shows at most 10.', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  for (let index = 1; index <= 10; index += 1)
    await insertRow(person, 'tasks', { title: `Done ${index}.`, status: 'done' })
  await insertRow(person, 'tasks', { title: 'The eleventh' })
  await openAs(page, person, '/crm/tasks')
  const completed = page.getByRole('region', { name: 'Completed' }).getByRole('listitem')
  await expect(completed).toHaveCount(10)
  await page.getByRole('checkbox', { name: 'Complete The eleventh' }).check()
  await expect(completed.filter({ hasText: 'The eleventh' })).toHaveCount(1)
  await expect(completed).toHaveCount(10)
})

test('spec 2: /crm/tasks: Each task has a checkbox toggling its status.', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  for (const title of ['Call Margaret', 'Send terms']) await insertRow(person, 'tasks', { title })
  await openAs(page, person, '/crm/tasks')
  const statusOf = async (title: string) =>
    (await person.client.from('tasks').select('status').eq('title', title).single()).data?.status
  await expect(page.getByRole('checkbox')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Complete Send terms' }).check()
  await expect.poll(() => statusOf('Send terms')).toBe('done')
  await page.getByRole('checkbox', { name: 'Reopen Send terms' }).first().click()
  await expect.poll(() => statusOf('Send terms')).toBe('open')
  expect(await statusOf('Call Margaret')).toBe('open')
})
