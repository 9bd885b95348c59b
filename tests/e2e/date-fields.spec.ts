import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, openBoard, personWithDeals } from './deal-seeds.ts'

/** The time zone of the browser. The clocks of browser and server show the real time, so tests count days from today in this time zone. */
const zone = 'America/New_York'

/** Returns the date of today plus `days` in the browser's time zone (`YYYY-MM-DD`). */
function dayAhead(days: number): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date())
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Returns a date as text, such as '30 Nov 2026'. */
const dateText = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    .format(new Date(day))
    .replace('Sept', 'Sep')

const dueDates = async (person: Person) =>
  (await person.client.from('tasks').select('title, due_at').eq('brand_id', person.brandId).order('title')).data

async function openNewTask(page: Page, title: string) {
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await dialog.getByLabel('Task title').fill(title)
  return { dialog, due: dialog.getByRole('textbox', { name: 'Due date' }) }
}

test.describe('in a browser of the United States', () => {
  test.use({ locale: 'en-US', timezoneId: zone })

  test("the date 30.11.2026 is refused in a browser of the United States with a suggestion and never becomes another day; 'tomorrow' needs no time", {
    tag: '@long',
  }, async ({ page, server }) => {
    const person = await createPerson(server, { brand: 'Harbour' })
    await openAs(page, person, '/crm/tasks')
    const { dialog, due } = await openNewTask(page, 'A dated')
    await due.fill('30.11.2026')
    await dialog.getByLabel('Task title').focus()
    await expect(due).toHaveAccessibleDescription('There is no month 30: for 30 Nov 2026, type 30 Nov 2026')
    await dialog.getByRole('button', { name: 'Create Task' }).click()
    await expect(due).toBeFocused()
    expect(await dueDates(person)).toEqual([])
    await due.fill('30 Nov 2026 3pm')
    await expect(due).toHaveAccessibleDescription('Mon 30 Nov 2026, 15:00')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)

    await openNewTask(page, 'B tomorrow')
    await due.pressSequentially('tomorrow')
    await expect(dialog.getByText(dateText(dayAhead(1)))).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    const row = page.locator('[data-task]').filter({ hasText: 'B tomorrow' })
    await expect(row).toContainText('Tomorrow')
    await expect(row).not.toContainText(':59')
    const savedTasks = await dueDates(person)
    expect(savedTasks).toHaveLength(2)
    expect(savedTasks?.[0]).toEqual({ title: 'A dated', due_at: '2026-11-30T20:00:00+00:00' })
    // The due time of a day alone is the last millisecond of that day in New York.
    const momentAfterDue = new Date(Date.parse(savedTasks?.[1]?.due_at) + 1)
    expect(
      new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
        momentAfterDue,
      ),
    ).toBe(`${dayAhead(2)} 00:00:00`)
  })
})

test('the calendar works by keyboard: days, weeks, months, Escape and Enter; in the text, arrow keys change the day', {
  tag: '@long',
}, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/tasks')
  const { dialog, due } = await openNewTask(page, 'Call')
  await due.fill('30 Nov 2026 15:00')
  await page.keyboard.press('Alt+ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Choose a date' })
  const focusedElement = page.locator(':focus')
  await expect(focusedElement).toHaveAccessibleName('Monday 30 November 2026')
  await expect(calendar.getByRole('columnheader').first()).toHaveText('Mo')
  await expectAccessible(page)
  for (const [key, day] of [
    ['ArrowRight', 'Tuesday 1 December 2026'],
    ['ArrowUp', 'Tuesday 24 November 2026'],
    ['End', 'Sunday 29 November 2026'],
    ['Home', 'Monday 23 November 2026'],
    ['PageDown', 'Wednesday 23 December 2026'],
    ['Shift+PageDown', 'Thursday 23 December 2027'],
    ['PageUp', 'Tuesday 23 November 2027'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(focusedElement).toHaveAccessibleName(day)
  }
  await page.keyboard.press('Escape')
  await expect(calendar).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await expect(due).toBeFocused()
  await expect(due).toHaveValue('30 Nov 2026 15:00')
  await page.keyboard.press('ArrowUp')
  await expect(due).toHaveValue('1 Dec 2026 15:00')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(due).toHaveValue('30 Nov 2026 15:00')
  await expect(due).toBeFocused()
})

test('in a panel a day that is chosen in the calendar is saved at once, a typed day by Enter', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Depot lighting', day: '2031-11-11' }])
  const id = await insertRow(person, 'tasks', { title: 'Call' })
  await openBoard(page, person)
  await cardsOf(page, 'Depot lighting').click()
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const closeDateButton = panel.getByRole('button', { name: /^Expected close date/ })
  await closeDateButton.click()
  await panel.getByRole('button', { name: /^Choose a date/ }).click()
  await page.getByRole('button', { name: 'Wednesday 12 November 2031' }).click()
  await expect(closeDateButton).toHaveText('12 Nov 2031')
  await expect(closeDateButton).toBeFocused()
  const day = async () => (await person.client.from('deals').select('expected_close_date').single()).data
  await expect.poll(day).toEqual({ expected_close_date: '2031-11-12' })

  await page.goto(`/crm/tasks/${id}`)
  const taskPanel = page.getByRole('complementary', { name: 'Task' })
  await taskPanel.getByRole('button', { name: /^Due date/ }).click()
  await page.keyboard.type('6 may 2031')
  await page.keyboard.press('Enter')
  await expect(taskPanel.getByRole('button', { name: /^Due date/ })).toHaveText('6 May 2031')
  await expect.poll(() => dueDates(person)).toEqual([{ title: 'Call', due_at: '2031-05-06T22:59:59.999+00:00' }])
})
