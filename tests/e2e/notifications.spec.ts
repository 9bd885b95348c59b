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
import { addOpenedMember } from '../harness/opened-member.ts'
import type { TestServer } from '../harness/server.ts'
import { insertRow } from './contact-seeds.ts'
import { waitUntilLive } from './live-seeds.ts'
import { bell, inbox } from './notification-bell.ts'

/** Creates Ana with a brand, and its member Bo, whose display name there is 'Bo Hale'. */
async function anaAndBo(server: TestServer): Promise<{ ana: Person; bo: Person }> {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const bo = await createPerson(server, { name: 'bo' })
  await addOpenedMember(ana, bo)
  const { error } = await bo.client.from('memberships').update({ display_name: 'Bo Hale' }).eq('user_id', bo.userId)
  expect(error).toBeNull()
  return { ana, bo: { ...bo, brandId: ana.brandId } }
}

test("assignments by others are counted at once on the bell, in the tab's title and on the app's icon; a click opens the record; if one device marks them as read, all devices do", {
  tag: '@long',
}, async ({ page, server, browser }) => {
  const { ana, bo } = await anaAndBo(server)
  const taskId = await insertRow(bo, 'tasks', { title: 'Call Margaret', assignee_id: ana.userId })
  await page.addInitScript(() => {
    navigator.setAppBadge = async (count) => {
      document.documentElement.setAttribute('data-icon', String(count))
    }
    navigator.clearAppBadge = async () => document.documentElement.removeAttribute('data-icon')
  })
  const becameLive = waitUntilLive(page)
  await openAs(page, ana, '/crm/overview')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await becameLive
  await insertRow(bo, 'companies', { name: 'Slate & Sons', owner_id: ana.userId })
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread', { timeout: 2_000 })
  await expect(page).toHaveTitle(/^\(2\) .+ · Banyan CRM$/)
  await expect(page.locator('html')).toHaveAttribute('data-icon', '2')

  const context = await openContext(browser, server)
  const phone = await context.newPage()
  await phone.setViewportSize({ width: 390, height: 844 })
  await openAs(phone, ana, '/crm/tasks')
  await expect(bell(phone)).toHaveAccessibleName('Notifications, 2 unread')

  // The list is opened and used by keyboard alone.
  await bell(page).focus()
  await page.keyboard.press('Enter')
  const notificationLines = inbox(page).getByRole('listitem')
  await expect(notificationLines).toHaveText([
    /^.*Bo Hale gave you Slate & Sons.*Unread$/,
    /^.*Bo Hale assigned you Call Margaret.*Unread$/,
  ])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(inbox(page)).toHaveCount(0)
  await expect(bell(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await notificationLines.first().getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/crm/tasks/${taskId}`))
  await expect(inbox(page)).toHaveCount(0)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(page).toHaveTitle('(1) Tasks · Banyan CRM')
  // A second tab shows the stored count until it queries the server. Its timer for that query (3 s) is blocked here.
  const secondTab = await page.context().newPage()
  await secondTab.addInitScript(() => {
    const originalSetTimeout = window.setTimeout.bind(window)
    const setTimeoutExcept3s = (run: () => void, ms: number, ...parameters: unknown[]) =>
      ms === 3_000 ? 0 : originalSetTimeout(run, ms, ...parameters)
    Object.assign(window, { setTimeout: setTimeoutExcept3s })
  })
  await secondTab.goto('/crm/tasks')
  await expect(bell(secondTab)).toHaveAccessibleName('Notifications, 1 unread')
  await secondTab.close()

  await expect(bell(phone)).toHaveAccessibleName('Notifications, 1 unread')
  await bell(phone).click()
  await expect(inbox(phone).getByRole('listitem')).toHaveCount(2)
  await expectAccessible(phone)
  await inbox(phone).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(bell(phone)).toHaveAccessibleName('Notifications')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await expect(page).toHaveTitle('Tasks · Banyan CRM')
  await expect(page.locator('html')).not.toHaveAttribute('data-icon')
  await context.close()

  // Eve adds Ana to another brand. The notification about it belongs to that brand.
  const eve = await createPerson(server, { name: 'eve', brand: 'Larkspur' })
  const addArguments = { p_brand_id: eve.brandId, p_email: ana.email, p_role: 'member' }
  expect((await eve.client.rpc('add_brand_member_by_email', addArguments)).error).toBeNull()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await bell(page).click()
  await inbox(page)
    .getByRole('link', { name: `${eve.email.split('@')[0]} added you to ${eve.brandName}` })
    .click()
  await expect(page).toHaveURL('/select-brand')
  await expect(page.getByRole('listitem').filter({ hasText: eve.brandName })).toContainText('Added by eve')
  const { data } = await ana.client.from('notifications').select('read_at').eq('kind', 'added_to_brand')
  expect(data).toEqual([{ read_at: expect.any(String) }])
})

test('offline the last list of notifications is shown, and read marks are sent when the network is back', {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana, bo } = await anaAndBo(server)
  await openAs(page, ana, '/crm/tasks')
  await bell(page).click()
  await expect(inbox(page)).toContainText('Nothing new')
  await page.keyboard.press('Escape')
  await insertRow(bo, 'tasks', { title: 'Call Margaret', assignee_id: ana.userId })
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await page.route('**/rest/v1/**', (route) => route.abort())
  await page.reload()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await bell(page).click()
  await expect(inbox(page).getByRole('listitem')).toContainText('Bo Hale assigned you Call Margaret')
  await inbox(page).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await page.reload()
  await bell(page).click()
  await expect(inbox(page).getByRole('listitem')).not.toContainText('Unread')
  const onServer = async () => (await ana.client.from('notifications').select('read_at')).data
  expect(await onServer()).toEqual([{ read_at: null }])
  await page.unroute('**/rest/v1/**')
  await expect.poll(onServer, { timeout: 15_000 }).toEqual([{ read_at: expect.any(String) }])
})

test('a due task is shown as a toast in the app and as a line of the bell; @ in a note completes the name of a member, who is notified once', {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana, bo } = await anaAndBo(server)
  await openAs(page, ana, '/crm/overview')
  await bell(page).click()
  await expect(inbox(page)).toContainText('Nothing new')
  await page.keyboard.press('Escape')
  const due_at = new Date(Date.now() + 500).toISOString()
  const dueTaskId = await insertRow(ana, 'tasks', { title: 'Call Margaret', due_at })
  const reminder = toastOf(page).filter({ hasText: 'Call Margaret is due' })
  await expect(reminder).toBeVisible()
  await reminder.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(new RegExp(`/crm/tasks/${dueTaskId}`))
  // Wait until the task's page is shown: then all layers of the previous page are closed.
  await expect(page.getByRole('complementary', { name: 'Task' })).toContainText('Call Margaret')
  await bell(page).click()
  await expect(inbox(page).getByRole('listitem')).toContainText('Call Margaret is due')

  const companyId = await insertRow(ana, 'companies', { name: 'Slate & Sons' })
  await page.goto(`/crm/companies/${companyId}`)
  const composer = page.getByRole('textbox', { name: 'Write a note' })
  await composer.pressSequentially('Ask @ha')
  await expect(page.getByRole('option')).toHaveText(['BHBo Hale'])
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(composer).toHaveValue('Ask @Bo Hale ')
  await page.keyboard.type('about the roof')
  await page.keyboard.press('ControlOrMeta+Enter')
  const note = page.getByRole('article').filter({ hasText: '@Bo Hale about the roof' })
  await expect(note).toBeVisible()
  await note.getByRole('button', { name: /^Actions of this/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const editor = page.getByRole('textbox', { name: 'Edit note' })
  await expect(editor).toHaveValue('Ask @Bo Hale about the roof')
  await editor.fill('Ask @Bo Hale about the gutter')
  await page.keyboard.press('ControlOrMeta+Enter')
  const body = `Ask @[Bo Hale](user:${bo.userId}) about the gutter`
  await expect.poll(async () => (await ana.client.from('notes').select('body')).data).toEqual([{ body }])
  const { data } = await bo.client.from('notifications').select('kind, title, detail').eq('kind', 'mentioned')
  expect(data).toEqual([{ kind: 'mentioned', title: 'Slate & Sons', detail: 'Ask @Bo Hale about the roof' }])
})

test('of two mentioned members with the same name, the second keeps the mention when the first is deleted from the text', async ({
  page,
  server,
}) => {
  const { ana, bo } = await anaAndBo(server)
  const otherBo = await createPerson(server, { name: 'bo' })
  await addOpenedMember(ana, otherBo)
  await otherBo.client.from('memberships').update({ display_name: 'Bo Hale' }).eq('user_id', otherBo.userId)
  const companyId = await insertRow(ana, 'companies', { name: 'Slate & Sons' })
  await openAs(page, ana, `/crm/companies/${companyId}`)
  const composer = page.getByRole('textbox', { name: 'Write a note' })
  const options = page.getByRole('option')
  await composer.pressSequentially('Ask @ha')
  await expect(options).toHaveCount(2)
  await page.keyboard.press('Enter')
  await composer.pressSequentially('and @ha')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(composer).toHaveValue('Ask @Bo Hale and @Bo Hale ')
  await page.keyboard.press('ControlOrMeta+Enter')
  const bodies = async () => (await ana.client.from('notes').select('body').order('created_at')).data
  const mentioned = async () =>
    [...((await bodies())?.at(-1)?.body ?? '').matchAll(/user:([0-9a-f-]+)/g)].map(([, id]) => id)
  await expect.poll(async () => (await mentioned()).length).toBe(2)
  const [first, second] = await mentioned()
  expect(new Set([first, second])).toEqual(new Set([bo.userId, otherBo.userId]))

  await composer.fill('')
  await composer.pressSequentially('Ask @ha')
  await page.keyboard.press('Enter')
  await composer.pressSequentially('and @ha')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Home')
  for (let step = 0; step < 'Ask '.length; step++) await page.keyboard.press('ArrowRight')
  for (let step = 0; step < '@Bo Hale and '.length; step++) await page.keyboard.press('Delete')
  await expect(composer).toHaveValue('Ask @Bo Hale ')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(async () => (await bodies())?.length).toBe(2)
  expect(await mentioned()).toEqual([second])
})

test('the Notifications settings show what is missing and what to do, the kinds that are pushed, and quiet hours', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  await openAs(page, ana, '/crm/settings')
  await page.getByRole('tab', { name: 'Notifications' }).click()
  const card = page.getByRole('region', { name: 'Your notifications' })
  // A headless browser supports no notifications, and service workers are blocked here.
  await expect(card).toContainText(/This browser (was told not to|cannot)/)
  const mentions = card.getByRole('row').filter({ hasText: 'Somebody mentions you' })
  await expect(mentions.getByRole('img', { name: 'Always' })).toBeVisible()
  const pushSwitch = mentions.getByRole('switch', { name: 'Somebody mentions you: on my devices' })
  await expect(pushSwitch).toBeChecked()
  await pushSwitch.click()
  await expect(pushSwitch).not.toBeChecked()
  await page.reload()
  await expect(pushSwitch).not.toBeChecked()
  await expect(card.getByRole('row').getByRole('switch', { checked: true })).toHaveCount(5)
  await card.getByRole('switch', { name: 'Quiet hours' }).click()
  await card.getByLabel('From').fill('21:30')
  await card.getByRole('button', { name: 'Save' }).click()
  const savedSettings = async () => (await ana.client.rpc('notification_settings')).data
  await expect
    .poll(savedSettings)
    .toMatchObject({ quiet_from: '21:30', quiet_until: '08:00', muted_kinds: ['mentioned'] })
  await expectAccessible(page)
  await card.getByRole('switch', { name: 'Quiet hours' }).click()
  await expect.poll(savedSettings).toMatchObject({ quiet_from: null, quiet_until: null })
})
