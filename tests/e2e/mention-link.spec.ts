import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { addOpenedMember } from '../harness/opened-member.ts'
import { insertRow } from './contact-seeds.ts'
import { bell, inbox } from './notification-bell.ts'

test("a notification of a mention opens the note, also an old note; the note's link can be copied; for a deleted note the page says that it was deleted", {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const bo = await createPerson(server, { name: 'bo' })
  await addOpenedMember(ana, bo)
  const company = await insertRow(ana, 'companies', { name: 'Slate & Sons' })
  const mention = (text: string, occurred_at: string) =>
    insertRow(ana, 'notes', { company_id: company, body: `@[Bo](user:${bo.userId}) ${text}`, occurred_at })
  const old = await mention('the old roof', '2020-03-01T10:00:00Z')
  const near = await mention('the gutter', '2026-03-01T10:00:00Z')
  const deleted = await mention('the cellar', '2026-03-02T10:00:00Z')
  const later = Array.from({ length: 40 }, (_, n) => ({
    brand_id: ana.brandId,
    company_id: company,
    body: `Later ${n}`,
    occurred_at: `2026-02-${String(1 + (n % 28)).padStart(2, '0')}T10:00:00Z`,
  }))
  expect((await ana.client.from('notes').insert(later)).error).toBeNull()
  await ana.client.from('notes').delete().eq('id', deleted)

  await openAs(page, { ...bo, brandId: ana.brandId }, '/crm/overview')
  const open = async (text: string) => {
    await bell(page).click()
    await inbox(page).getByRole('listitem').filter({ hasText: text }).getByRole('link').click()
    await expect(inbox(page)).toHaveCount(0)
  }
  const noteOf = (text: string) => page.getByRole('article').filter({ hasText: text })
  const expectLedTo = async (id: string, text: string) => {
    await expect(page).toHaveURL(`/crm/companies/${company}#note-${id}`)
    await expect(noteOf(text)).toBeFocused()
    await expect(noteOf(text)).toBeInViewport({ ratio: 1 })
  }
  await open('the gutter')
  await expectLedTo(near, 'the gutter')
  expect(await noteOf('the gutter').evaluate((one) => one.getAnimations().length)).toBe(1)
  await expectAccessible(page)
  // A second click on the link shows the same note again.
  await open('the gutter')
  await expectLedTo(near, 'the gutter')
  // A link to an older note of the same panel: that note is shown below the button that loads the notes in between.
  await open('the old roof')
  await expectLedTo(old, 'the old roof')
  const order = page.getByRole('button', { name: 'Show more' }).or(noteOf('the old roof'))
  await expect(order).toHaveText(['Show more', /the old roof/])
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.locator('[id^=note-]')).toHaveCount(42)
  await expect(noteOf('the old roof')).toHaveCount(1)

  await open('the cellar')
  const missing = page.getByText('The note that this link leads to was deleted.')
  await expect(missing).toBeFocused()
  await expect(missing).toBeInViewport()
  await expect(page.locator('[id^=note-]')).toHaveCount(42)

  // The URL is opened without the bell, as by a push or by a person who received it.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await noteOf('the gutter').hover()
  await noteOf('the gutter').getByRole('button', { name: 'Actions of this note' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(toastOf(page)).toContainText('Link copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${server.url}/crm/companies/${company}#note-${near}`)
  await page.goto('/crm/overview')
  await page.goto(copied.replace(near, old))
  await expectLedTo(old, 'the old roof')
  // When the panel is closed, the URL no longer contains the note.
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/crm/companies')
})
