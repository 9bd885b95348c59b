import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow } from '../e2e/contact-seeds.ts'

const openTasks = (page: Page) => page.getByRole('region', { name: 'Open Tasks' })
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Task' })

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

test('a task can be handled by keyboard alone: create, edit, tick, reopen, postpone, delete, undo', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'Zebra' })
  await openAs(page, person, '/crm/tasks')
  await expect(openTasks(page)).toContainText('Zebra')
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog').getByLabel('Task title')).toBeFocused()
  await page.keyboard.type('Call Ana')
  await page.keyboard.press('Control+Enter')
  await expect(toastOf(page)).toContainText('Task created')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const checkbox = page.getByRole('checkbox', { name: 'Complete Call Ana' })
  await checkbox.focus()
  await page.keyboard.press('Space')
  await expect(toastOf(page)).toContainText('Task completed!')
  await expect(openTasks(page)).not.toContainText('Call Ana')
  await expect(page.getByRole('checkbox', { name: 'Complete Zebra' })).toBeFocused()
  await page.getByRole('checkbox', { name: 'Reopen Call Ana' }).focus()
  await page.keyboard.press('Space')
  await expect(toastOf(page)).toContainText('Task reopened')
  await checkbox.focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Call Ana' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Postponed to tomorrow')
  await page.getByRole('link', { name: 'Call Ana' }).focus()
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toBeFocused()
  await page.keyboard.press('e')
  await expect(panelOf(page).getByRole('textbox', { name: 'Task title' })).toBeFocused()
  await page.keyboard.type('Call Bea')
  await page.keyboard.press('Enter')
  await expect(openTasks(page)).toContainText('Call Bea')
  await panelOf(page).getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Task deleted')
  await expect(openTasks(page)).not.toContainText('Call Bea')
  await toastOf(page).getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(openTasks(page)).toContainText('Call Bea')
  await expect
    .poll(async () => (await person.client.from('tasks').select('title').order('title')).data)
    .toEqual([{ title: 'Call Bea' }, { title: 'Zebra' }])
})

test('the task panel has no accessibility violations, beside its list and on the phone', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const contact_id = await insertRow(person, 'contacts', { email: 'mf@lh.example', first_name: 'Margaret' })
  const id = await insertRow(person, 'tasks', { title: 'Late', due_at: londonTime(-3, '12:00'), contact_id })
  await openAs(page, person, `/crm/tasks/${id}`)
  await expect(panelOf(page)).toContainText('(Overdue)')
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(panelOf(page).getByRole('button', { name: 'Back' })).toBeVisible()
  await expectAccessible(page)
})
