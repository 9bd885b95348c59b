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
  const companyId = await insertRow(ana, 'companies', { name: 'Slate & Sons' })
  const mention = (text: string, occurred_at: string) =>
    insertRow(ana, 'notes', { company_id: companyId, body: `@[Bo](user:${bo.userId}) ${text}`, occurred_at })
  const oldId = await mention('the old roof', '2020-03-01T10:00:00Z')
  const recentId = await mention('the gutter', '2026-03-01T10:00:00Z')
  const deletedId = await mention('the cellar', '2026-03-02T10:00:00Z')
  const laterNotes = Array.from({ length: 40 }, (_, n) => ({
    brand_id: ana.brandId,
    company_id: companyId,
    body: `Later ${n}`,
    occurred_at: `2026-02-${String(1 + (n % 28)).padStart(2, '0')}T10:00:00Z`,
  }))
  expect((await ana.client.from('notes').insert(laterNotes)).error).toBeNull()
  await ana.client.from('notes').delete().eq('id', deletedId)

  await openAs(page, { ...bo, brandId: ana.brandId }, '/crm/overview')
  const openFromBell = async (text: string) => {
    await bell(page).click()
    await inbox(page).getByRole('listitem').filter({ hasText: text }).getByRole('link').click()
    await expect(inbox(page)).toHaveCount(0)
  }
  const noteOf = (text: string) => page.getByRole('article').filter({ hasText: text })
  const expectNoteShown = async (id: string, text: string) => {
    await expect(page).toHaveURL(`/crm/companies/${companyId}#note-${id}`)
    await expect(noteOf(text)).toBeFocused()
    await expect(noteOf(text)).toBeInViewport({ ratio: 1 })
  }
  await openFromBell('the gutter')
  await expectNoteShown(recentId, 'the gutter')
  expect(await noteOf('the gutter').evaluate((element) => element.getAnimations().length)).toBe(1)
  await expectAccessible(page)
  // A second click on the link shows the same note again.
  await openFromBell('the gutter')
  await expectNoteShown(recentId, 'the gutter')
  // A link to an older note of the same panel: that note is shown below the button that loads the notes in between.
  await openFromBell('the old roof')
  await expectNoteShown(oldId, 'the old roof')
  const buttonAndNote = page.getByRole('button', { name: 'Show more' }).or(noteOf('the old roof'))
  await expect(buttonAndNote).toHaveText(['Show more', /the old roof/])
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.locator('[id^=note-]')).toHaveCount(42)
  await expect(noteOf('the old roof')).toHaveCount(1)

  await openFromBell('the cellar')
  const deletedMessage = page.getByText('The note that this link leads to was deleted.')
  await expect(deletedMessage).toBeFocused()
  await expect(deletedMessage).toBeInViewport()
  await expect(page.locator('[id^=note-]')).toHaveCount(42)

  // The URL is opened without the bell, as by a push or by a person who received it.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await noteOf('the gutter').hover()
  await noteOf('the gutter').getByRole('button', { name: 'Actions of this note' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(toastOf(page)).toContainText('Link copied')
  const copiedUrl = await page.evaluate(() => navigator.clipboard.readText())
  expect(copiedUrl).toBe(`${server.url}/crm/companies/${companyId}#note-${recentId}`)
  await page.goto('/crm/overview')
  await page.goto(copiedUrl.replace(recentId, oldId))
  await expectNoteShown(oldId, 'the old roof')
  // When the panel is closed, the URL no longer contains the note.
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/crm/companies')
})
