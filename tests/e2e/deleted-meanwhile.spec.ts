import { expect, expectAccessible, test, toastOf } from '../harness/browser.ts'
import { cardsOf } from './deal-seeds.ts'
import { openOwnersLiveBoard } from './live-seeds.ts'

test('a colleague deletes the deal in which the user types: keys go nowhere, and Restore brings the deal back with the typed name', {
  tag: '@long',
}, async ({ page, server }) => {
  const { owner, ana } = await openOwnersLiveBoard(page, server, [{ name: 'Acme renewal' }, { name: 'Depot lighting' }])
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const title = panel.getByRole('heading', { level: 2 })
  const deleteAsAna = async (name: string) =>
    expect((await ana.client.from('deals').delete().eq('name', name).select('id')).data).toHaveLength(1)

  await cardsOf(page, 'Depot lighting').focus()
  await page.keyboard.press('Enter')
  await expect(title).toHaveText('Depot lighting')
  await page.keyboard.press('w')
  await page.keyboard.type('They agree')
  await deleteAsAna('Depot lighting')
  await expect(title).toHaveText('Ana Pryce deleted this deal')
  await expect(panel).toBeFocused()
  await page.keyboard.type(' on neon lamps')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)

  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Enter')
  await expect(title).toHaveText('Acme renewal')
  await page.keyboard.press('e')
  await page.keyboard.type('Acme 2028')
  await deleteAsAna('Acme renewal')
  await expect(title).toHaveText('Ana Pryce deleted this deal')
  await expect(page.getByRole('button', { name: /Needs attention/ })).toBeVisible()
  await panel.getByRole('button', { name: 'Restore' }).click()
  await expect(toastOf(page)).toContainText('Deal restored')
  await expect(title).toHaveText('Acme 2028')
  await expect(page.getByRole('button', { name: /All changes saved/ })).toBeVisible()
  expect((await owner.client.from('deals').select('name')).data).toEqual([{ name: 'Acme 2028' }])
})

test('"Needs attention" closes by Escape after a button of it has disappeared', {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana } = await openOwnersLiveBoard(page, server, [{ name: 'Acme renewal' }])
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('e')
  await page.keyboard.type('Acme 2028')
  await ana.client.from('deals').delete().eq('name', 'Acme renewal')
  await page.getByRole('button', { name: /Needs attention/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Restore/ }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('All changes saved')
  await expect(dialog).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('the question which value is right follows the record, until the record is deleted', {
  tag: '@long',
}, async ({ page, context, server }) => {
  const { owner, ana } = await openOwnersLiveBoard(page, server, [{ name: 'Acme renewal' }])
  const renameAsAna = async (before: string, name: string) =>
    expect((await ana.client.from('deals').update({ name }).eq('name', before).select('id')).data).toHaveLength(1)
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Enter')
  await context.setOffline(true)
  await page.keyboard.press('e')
  await page.keyboard.type('Mine')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /1 waiting/ })).toBeVisible()
  await renameAsAna('Acme renewal', 'First')
  await context.setOffline(false)
  await page.getByRole('button', { name: /Needs attention/ }).click({ timeout: 30_000 })
  await page.getByRole('button', { name: /^Decide:/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /First/ }).check()
  await expect(dialog.getByRole('button', { name: 'Keep First' })).toBeVisible()
  await renameAsAna('First', 'Second')
  await expect(dialog.getByRole('button', { name: 'Keep Second' })).toBeVisible()
  await expect(dialog.getByRole('status')).toHaveText('Ana Pryce changed it again meanwhile. The newer value is shown.')
  await expect(dialog).toContainText('It was Acme renewal.')
  await expectAccessible(page)
  await ana.client.from('deals').delete().eq('name', 'Second')
  await dialog.getByRole('button', { name: /^Restore/ }).click()
  await dialog.getByRole('button', { name: /^Decide:/ }).click()
  await dialog.getByRole('button', { name: 'Keep Mine' }).click()
  await expect.poll(async () => (await owner.client.from('deals').select('name')).data).toEqual([{ name: 'Mine' }])
})
