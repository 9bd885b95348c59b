import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, openContext, test, toastOf } from '../harness/browser.ts'
import { sidewaysScroll, smallTargets } from '../harness/phone-page.ts'
import { insertRow, personWithContacts } from './contact-seeds.ts'

const timeline = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Timeline' }) })
const composer = (page: Page) => timeline(page).getByRole('textbox', { name: 'Write a note' })
const entries = (page: Page) =>
  timeline(page)
    .getByRole('listitem')
    .filter({ has: page.locator('time') })
const zoe = { first: 'Zoe', last: 'Marsh', email: 'zoe@x.test', company: 'Copperline' }

async function personWithZoe(server: Parameters<typeof personWithContacts>[0]) {
  const person = await personWithContacts(server, [zoe])
  const { data } = await person.client.from('contacts').select('id, company_id').single()
  return { ...person, zoeId: String(data?.id), companyId: String(data?.company_id) }
}

/** Opens the menu of a note and chooses an item. */
async function chooseFromMenu(page: Page, text: string, item: string): Promise<void> {
  const note = timeline(page).getByRole('article').filter({ hasText: text })
  await note.getByRole('button', { name: /^Actions of this/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a note is written; a call is logged, edited, pinned, deleted and restored; bold, lists and links are shown, HTML stays text', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithZoe(server)
  await openAs(page, person, `/crm/contacts/${person.zoeId}`)
  await expect(timeline(page)).toContainText('Nothing yet')
  await composer(page).fill('**Wants** a quote\n- by friday\n- see https://a.test/x.\n<b>raw</b>')
  await expectAccessible(page)
  await composer(page).press('ControlOrMeta+Enter')
  const note = timeline(page).getByRole('article')
  await expect(note.locator('strong')).toHaveText('Wants')
  await expect(note.getByRole('listitem')).toHaveText(['by friday', 'see https://a.test/x.'])
  await expect(note.getByRole('link')).toHaveAttribute('href', 'https://a.test/x')
  await expect(note).toContainText('<b>raw</b>')
  await expect(composer(page)).toHaveValue('')
  await expect(composer(page)).toBeFocused()

  // A draft survives a reload. A call can have an earlier time.
  await composer(page).fill('Spoke to her')
  await timeline(page).getByRole('radio', { name: 'Call' }).check()
  await timeline(page).getByLabel('When', { exact: true }).fill('yesterday 9:30')
  await page.reload()
  await expect(composer(page)).toHaveValue('Spoke to her')
  await timeline(page).getByRole('button', { name: 'Log call' }).click()
  await expect(entries(page)).toHaveText([/Wants a quote/, /Call.*Yesterday, 09:30.*Spoke to her/])

  // Escape, Back and the panel's button 'Close' end an edit and keep its text; 'Cancel' discards the text.
  const editor = timeline(page).getByRole('textbox', { name: 'Edit note' })
  const continueButton = timeline(page).getByRole('button', { name: 'Continue unsaved edit' })
  await chooseFromMenu(page, 'Spoke to her', 'Edit')
  await editor.fill('Spoke to Zoe')
  await timeline(page).getByRole('radio', { name: 'Call' }).last().focus()
  await page.keyboard.press('Escape')
  await expect(editor).toHaveCount(0)
  await continueButton.click()
  await expect(editor).toHaveValue('Spoke to Zoe')
  await page.goBack()
  await expect(editor).toHaveCount(0)
  await expect(continueButton).toBeVisible()
  await chooseFromMenu(page, 'Spoke to her', 'Edit')
  await editor.press('End')
  await editor.pressSequentially('!')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/crm\/contacts$/)
  await page.goto(`/crm/contacts/${person.zoeId}`)
  await continueButton.click()
  await expect(editor).toHaveValue('Spoke to Zoe!')
  await timeline(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(continueButton).toHaveCount(0)
  await chooseFromMenu(page, 'Spoke to her', 'Edit')
  await expect(editor).toHaveValue('Spoke to her')
  await editor.fill('Spoke to Zoe')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(continueButton).toHaveCount(0)
  await chooseFromMenu(page, 'Spoke to Zoe', 'Pin to top')
  await expect(entries(page)).toHaveText([/Spoke to Zoe/, /Wants a quote/])
  await chooseFromMenu(page, 'Spoke to Zoe', 'Delete')
  await expect(entries(page)).toHaveCount(1)
  await expect(toastOf(page)).toContainText('Call deleted')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(entries(page)).toHaveText([/Spoke to Zoe/, /Wants a quote/])
  await expectAccessible(page)
  const { data } = await person.client.from('notes').select('kind, body, pinned, author_id').eq('kind', 'call').single()
  expect(data).toEqual({ kind: 'call', body: 'Spoke to Zoe', pinned: true, author_id: person.userId })
})

test('a call is logged without a text, offline too; a note needs a text; the text of a call can be added and emptied later', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithZoe(server)
  await openAs(page, person, `/crm/contacts/${person.zoeId}`)
  await expect(timeline(page)).toContainText('Nothing yet')
  const storedNotes = async () =>
    (await person.client.from('notes').select('kind, body').order('created_at')).data?.map(({ kind, body }) => [
      kind,
      body,
    ])
  await composer(page).focus()
  await expect(timeline(page).getByRole('button', { name: 'Add note' })).toBeDisabled()
  await composer(page).press('ControlOrMeta+Enter')
  await timeline(page).getByRole('radio', { name: 'Call' }).check()
  await timeline(page).getByLabel('When', { exact: true }).fill('yesterday 9:30')
  await timeline(page).getByRole('button', { name: 'Log call' }).click()
  await expect(entries(page)).toHaveText([/Call.*Yesterday, 09:30$/])
  const callEntry = timeline(page).getByRole('article', { name: /^Call by / })
  await expect(callEntry).toBeVisible()
  await expect.poll(storedNotes).toEqual([['call', '']])
  await expectAccessible(page)

  await chooseFromMenu(page, 'Call', 'Edit')
  const editor = timeline(page).getByRole('textbox', { name: 'Edit note' })
  await editor.fill('No answer')
  await editor.press('ControlOrMeta+Enter')
  await expect(callEntry).toContainText('No answer')
  await expect.poll(storedNotes).toEqual([['call', 'No answer']])
  await chooseFromMenu(page, 'No answer', 'Edit')
  await editor.fill('')
  await timeline(page).getByRole('radio', { name: 'Note' }).last().check()
  await expect(timeline(page).getByRole('button', { name: 'Save' })).toBeDisabled()
  await timeline(page).getByRole('radio', { name: 'Call' }).last().check()
  await timeline(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(storedNotes).toEqual([['call', '']])

  await page.context().setOffline(true)
  await composer(page).focus()
  await timeline(page).getByRole('radio', { name: 'Meeting' }).check()
  await timeline(page).getByRole('button', { name: 'Log meeting' }).click()
  await expect(entries(page)).toHaveText([/Meeting/, /Call/])
  await expect(timeline(page).getByRole('img', { name: 'Not sent yet' })).toBeVisible()
  await chooseFromMenu(page, 'Meeting', 'Delete')
  await expect(entries(page)).toHaveCount(1)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(entries(page)).toHaveText([/Meeting/, /Call/])
  await page.context().setOffline(false)
  await expect.poll(storedNotes, { timeout: 20_000 }).toEqual([
    ['call', ''],
    ['meeting', ''],
  ])
})

test('the text of a note that is deleted while it is edited stays, and can be added as a new note', async ({
  page,
  server,
}) => {
  const person = await personWithZoe(server)
  const note = { contact_id: person.zoeId, kind: 'note' }
  const deletedNoteId = await insertRow(person, 'notes', { ...note, body: 'Wants a quote' })
  await insertRow(person, 'notes', { ...note, body: 'Likes oak' })
  await openAs(page, person, `/crm/contacts/${person.zoeId}`)
  await chooseFromMenu(page, 'Wants a quote', 'Edit')
  const editor = timeline(page).getByRole('textbox', { name: 'Edit note' })
  await editor.fill('Wants two quotes')
  expect((await person.client.from('notes').delete().eq('id', deletedNoteId)).error).toBeNull()
  await expect(timeline(page).getByText('This note was deleted while you edited it.')).toBeVisible()
  await expect(editor).toHaveValue('Wants two quotes')
  await expect(editor).toBeFocused()
  await editor.press('ControlOrMeta+Enter')
  await expect(entries(page)).toHaveText([/Wants two quotes/, /Likes oak/])
  await expect(editor).toHaveCount(0)
  const bodies = async () => (await person.client.from('notes').select('body').order('body')).data
  await expect.poll(bodies).toEqual([{ body: 'Likes oak' }, { body: 'Wants two quotes' }])
})

test('the text of a note that was deleted while it was edited is kept for a new note if its form is left by Escape, by Back or with the panel', async ({
  page,
  server,
}) => {
  const person = await personWithZoe(server)
  await openAs(page, person, '/crm/contacts')
  const newNote = timeline(page).getByRole('textbox', { name: 'Write a note' })
  const editDeleted = async (text: string) => {
    const id = await insertRow(person, 'notes', { contact_id: person.zoeId, kind: 'call', body: 'Wants a quote' })
    await page.goto(`/crm/contacts/${person.zoeId}`)
    await chooseFromMenu(page, 'Wants a quote', 'Edit')
    await timeline(page).getByRole('textbox', { name: 'Edit note' }).fill(text)
    expect((await person.client.from('notes').delete().eq('id', id)).error).toBeNull()
    await expect(timeline(page).getByText('This note was deleted while you edited it.')).toBeVisible()
  }
  await editDeleted('Wants two quotes')
  await page.keyboard.press('Escape')
  await expect(newNote).toHaveValue('Wants two quotes')
  await expect(newNote).toBeFocused()
  await expect(timeline(page).getByRole('radio', { name: 'Call' })).toBeChecked()
  await expect(toastOf(page)).toContainText('Your text is in the field for a new note')

  await editDeleted('and oak')
  await page.goBack()
  await expect(newNote).toHaveValue('Wants two quotes\n\nand oak')
  await editDeleted('or ash')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(newNote).toHaveCount(0)
  await page.goto(`/crm/contacts/${person.zoeId}`)
  await expect(newNote).toHaveValue('Wants two quotes\n\nand oak\n\nor ash')
})

test('a note written offline is shown at once and sent once; an earlier note is readable and can be deleted offline', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithZoe(server)
  await insertRow(person, 'notes', { body: 'From before', contact_id: person.zoeId })
  await openAs(page, person, `/crm/contacts/${person.zoeId}`)
  await expect(entries(page)).toHaveCount(1)
  await page.context().setOffline(true)
  await composer(page).fill('On the train')
  await timeline(page).getByRole('button', { name: 'Add note' }).click()
  await expect(entries(page)).toHaveText([/On the train/, /From before/])
  await chooseFromMenu(page, 'From before', 'Delete')
  await expect(entries(page)).toHaveText([/On the train/])
  await expect(timeline(page).getByRole('img', { name: 'Not sent yet' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(timeline(page).getByRole('img', { name: 'Not sent yet' })).toHaveCount(0, { timeout: 20_000 })
  await expect
    .poll(async () => (await person.client.from('notes').select('body')).data, { timeout: 20_000 })
    .toEqual([{ body: 'On the train' }])
})

test('a company shows the entries of its contacts and deals as they happen; the button Show more adds older entries', {
  tag: '@long',
}, async ({ page, server, browser }) => {
  const person = await personWithZoe(server)
  const dealId = await insertRow(person, 'deals', {
    name: 'Roof',
    amount: 100,
    company_id: person.companyId,
    stage_id: (await person.client.from('deal_stages').select('id').eq('name', 'Incoming').single()).data?.id,
  })
  const oldNotes = Array.from({ length: 40 }, (_, n) => ({
    brand_id: person.brandId,
    body: `Old ${n}`,
    contact_id: person.zoeId,
    occurred_at: new Date(Date.UTC(2020, 0, 1 + n)).toISOString(),
  }))
  expect((await person.client.from('notes').insert(oldNotes)).error).toBeNull()
  await openAs(page, person, `/crm/companies/${person.companyId}`)
  await expect(entries(page)).toHaveCount(30)
  await timeline(page).getByRole('button', { name: 'Show more' }).click()
  await expect(entries(page)).toHaveCount(40)
  await expect(timeline(page).getByRole('button', { name: 'Show more' })).toHaveCount(0)

  // The open timeline shows the edits of another member live.
  const bo = await createPerson(server, { name: 'bo' })
  await person.client.rpc('add_brand_member_by_email', {
    p_brand_id: person.brandId,
    p_email: bo.email,
    p_role: 'member',
  })
  const boInBrand = { ...bo, brandId: person.brandId, brandName: person.brandName }
  await bo.client.from('deals').update({ amount: 250 }).eq('id', dealId)
  await expect(entries(page).first()).toContainText('changed the amount of Roof from £100 to £250')
  await insertRow(boInBrand, 'notes', { body: 'Bo was here', deal_id: dealId })
  await expect(entries(page).first()).toContainText('Bo was hereAbout Roof')
  // Only the author can edit a note; the owner of the brand can delete and pin it.
  await timeline(page).getByRole('article').filter({ hasText: 'Bo was here' }).getByRole('button').click()
  await expect(page.getByRole('menuitem')).toHaveText(['Pin to top', 'Copy link', 'Delete'])
  await page.keyboard.press('Escape')

  // The other member opens the deal on a phone.
  const context = await openContext(browser, server)
  const phone = await context.newPage()
  await phone.setViewportSize({ width: 390, height: 844 })
  await openAs(phone, boInBrand, `/crm/deals/${dealId}`)
  await expect(entries(phone).first()).toContainText('Bo was here')
  // When the note form unfolds, all of it is visible. When the call is logged, the form folds, and the new entry is visible.
  await phone.setViewportSize({ width: 390, height: 420 })
  await composer(phone).evaluate((field) => {
    const panel = field.closest('[data-panel] .overflow-y-auto')
    panel?.scrollBy(0, field.getBoundingClientRect().bottom - panel.getBoundingClientRect().bottom)
    field.focus({ preventScroll: true })
  })
  await expect(timeline(phone).getByRole('button', { name: 'Add note' })).toBeInViewport({ ratio: 1 })
  await timeline(phone).getByRole('radio', { name: 'Call' }).check()
  await composer(phone).fill('Called from the train')
  await timeline(phone).getByRole('button', { name: 'Log call' }).click()
  await expect(timeline(phone).getByRole('article').filter({ hasText: 'from the train' })).toBeInViewport({ ratio: 1 })
  await expect(timeline(phone).getByRole('radio')).toHaveCount(0)
  await expect(composer(phone)).not.toBeFocused()
  await phone.setViewportSize({ width: 390, height: 844 })
  await composer(phone).fill('By phone')
  expect(await sidewaysScroll(phone)).toEqual([])
  expect((await smallTargets(phone)).filter((target) => /note|Note|Call|Meeting|Show/.test(target))).toEqual([])
  await timeline(phone).getByRole('button', { name: 'Add note' }).click()
  await expect(entries(page).first()).toContainText('By phone')
  await context.close()
})
