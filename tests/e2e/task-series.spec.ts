import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'

test('a repeating task is created, completed offline, reopened, completed again, and stopped', {
  tag: '@long',
}, async ({ page, context, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/tasks')
  const openTasks = page.getByRole('region', { name: 'Open Tasks' })
  await page.getByRole('button', { name: 'New Task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await dialog.getByLabel('Task title').fill('Send the figures')
  await dialog.getByLabel('Due date').fill('3 Mar 2031 16:00')
  await dialog.getByRole('combobox', { name: 'Repeats' }).click()
  await page.getByRole('option', { name: 'Every week on Monday' }).click()
  await dialog.getByRole('button', { name: /Create Task/ }).click()
  await expect(toastOf(page)).toContainText('Task created')
  await expect(openTasks).toContainText('Every week')
  await expectAccessible(page)

  await context.setOffline(true)
  await openTasks.getByRole('checkbox', { name: 'Complete Send the figures' }).click()
  await expect(openTasks).toContainText('10 Mar 2031')
  await toastOf(page).filter({ hasText: 'Saved on this device' }).getByRole('button', { name: 'Undo' }).click()
  await expect(openTasks).toContainText('3 Mar 2031')
  await expect(openTasks).not.toContainText('10 Mar 2031')
  await openTasks.getByRole('checkbox', { name: 'Complete Send the figures' }).click()
  await expect(openTasks).toContainText('10 Mar 2031')
  await context.setOffline(false)
  await expect
    .poll(async () => (await person.client.from('tasks').select('status, due_at').order('due_at')).data)
    .toMatchObject([{ status: 'done' }, { status: 'open' }])

  const link = openTasks.getByRole('link', { name: 'Send the figures' })
  await expect(link).toHaveCount(1)
  await link.click()
  const panel = page.getByRole('complementary').or(page.getByRole('dialog')).last()
  await panel.getByRole('combobox', { name: 'Repeats' }).click()
  await expect(page.getByRole('option')).toHaveText([
    'Never',
    'Every day',
    'Every workday',
    'Every week on Monday',
    'Every month on the 10th',
  ])
  await page.getByRole('option', { name: 'Never' }).click()
  await expect(openTasks).not.toContainText('Every week')
})

test('choosing a repetition sets a due date; if the date is removed, the form shows an error, and the panel removes the repetition, with Undo', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await person.client.from('tasks').insert({ brand_id: person.brandId, title: 'Read the meter' })
  await openAs(page, person, '/crm/tasks')
  const storedTask = async () =>
    (await person.client.from('tasks').select('title, due_at, repeats').order('created_at')).data?.map(
      ({ title, due_at, repeats }) => [title, due_at !== null, repeats?.split(' ')[0] ?? null],
    )
  await page.getByRole('button', { name: 'New Task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await dialog.getByLabel('Task title').fill('Send the figures')
  const due = dialog.getByLabel('Due date')
  await dialog.getByRole('combobox', { name: 'Repeats' }).click()
  await page.getByRole('option', { name: 'Every day' }).click()
  await expect(due).toHaveValue(/^\d{1,2} \w{3} \d{4}$/)
  await due.fill('')
  await dialog.getByRole('button', { name: /Create Task/ }).click()
  await expect(due).toHaveAccessibleDescription(/A task that repeats needs a due date/)
  await due.fill('3 Mar 2031')
  await dialog.getByRole('button', { name: /Create Task/ }).click()
  await expect(toastOf(page)).toContainText('Task created')
  await expect.poll(storedTask).toEqual([
    ['Read the meter', false, null],
    ['Send the figures', true, 'daily'],
  ])

  await page.getByRole('link', { name: 'Read the meter' }).click()
  const panel = page.getByRole('complementary').or(page.getByRole('dialog')).last()
  await panel.getByRole('combobox', { name: 'Repeats' }).click()
  await page.getByRole('option', { name: 'Every day' }).click()
  await expect(panel.getByRole('button', { name: /^Due date: Today/ })).toBeVisible()
  await expect.poll(async () => (await storedTask())?.[0]).toEqual(['Read the meter', true, 'daily'])
  await panel.getByRole('button', { name: /^Due date: Today/ }).click()
  await panel.getByLabel('Due date').fill('')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Due date removed: the task no longer repeats')
  await expect(panel.getByRole('combobox', { name: 'Repeats' })).toHaveText('Never')
  await expect.poll(async () => (await storedTask())?.[0]).toEqual(['Read the meter', false, null])
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await storedTask())?.[0]).toEqual(['Read the meter', true, 'daily'])
})
