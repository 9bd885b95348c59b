import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, runAsOwnerRole, stageOnServer } from './deal-seeds.ts'

const stageList = (page: Page, pipeline: string) =>
  page.getByRole('list', { name: `Stages of ${pipeline}`, exact: true })
const takeShot = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : undefined

test('an owner edits, reorders and deletes stages, and adds a pipeline; the board then shows a pipeline switch', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal', amount: 500, stage: 'Proposal' }])
  await openAs(page, person, '/crm/settings')
  await expect(stageList(page, 'Sales').getByRole('listitem')).toHaveText([
    'Incoming',
    'Qualified',
    'Proposal',
    'Verbal Yes',
    'Won',
    'Lost',
  ])
  await takeShot(page, 'card')
  await stageList(page, 'Sales').getByRole('button', { name: 'Qualified', exact: true }).click()
  await takeShot(page, 'stage-dialog')
  await page.getByLabel('Stage name', { exact: true }).fill('Demo given')
  await page.getByLabel('Probability', { exact: true }).fill('40')
  await page.getByLabel('Usual time', { exact: true }).fill('14')
  await page.getByRole('radio', { name: 'violet', exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(stageList(page, 'Sales').getByRole('listitem').nth(1)).toHaveText('Demo given40 % · 14 days')

  // One stage is moved by keyboard, then one by drag. Before that, the closed dialog must have returned the focus.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await stageList(page, 'Sales').getByRole('button', { name: 'Move Demo given', exact: true }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(stageList(page, 'Sales').getByRole('listitem').first()).toContainText('Demo given')
  await expect(page.getByRole('button', { name: 'Move Demo given', exact: true })).toBeFocused()
  const gripBox = await page.getByRole('button', { name: 'Move Verbal Yes', exact: true }).boundingBox()
  const targetBox = await page.getByRole('button', { name: 'Move Incoming', exact: true }).boundingBox()
  if (!gripBox || !targetBox) throw new Error('the handles are not in sight')
  await page.mouse.move(gripBox.x + 8, gripBox.y + 8)
  await page.mouse.down()
  await page.mouse.move(targetBox.x + 8, targetBox.y + 8, { steps: 6 })
  await takeShot(page, 'dragging')
  await page.mouse.up()
  await expect
    .poll(async () => {
      const { data } = await person.client.from('deal_stages').select('name').order('position').order('id')
      return data?.map(({ name }) => name)
    })
    .toEqual(['Demo given', 'Verbal Yes', 'Incoming', 'Proposal', 'Won', 'Lost'])

  // The dialog that deletes a stage asks where its deals go. 'Undo' restores the stage and its deals.
  await stageList(page, 'Sales').getByRole('button', { name: 'Proposal', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('1 deal is in this stage.')).toBeVisible()
  await takeShot(page, 'delete-dialog')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(toastOf(page)).toContainText('1 deal moved to Incoming')
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Incoming')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page)).toContainText('Stage brought back')
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Proposal')
  await stageList(page, 'Sales').getByRole('button', { name: 'Proposal', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Incoming')
  await stageList(page, 'Sales').getByRole('button', { name: 'Verbal Yes', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('No deal is in this stage.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(stageList(page, 'Sales')).not.toContainText('Verbal Yes')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page)).toContainText('brought back')
  await expect(stageList(page, 'Sales').getByRole('listitem').nth(1)).toHaveText('Verbal Yes')

  // With a second pipeline the board has a switch, and a deal can be moved to that pipeline.
  await page.getByRole('button', { name: 'New pipeline', exact: true }).click()
  await page.getByLabel('Pipeline name', { exact: true }).fill('Partners')
  await page.getByRole('button', { name: 'Add pipeline', exact: true }).click()
  await expect(stageList(page, 'Partners').getByRole('listitem')).toHaveCount(3)
  await takeShot(page, 'card-two')
  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  await cardsOf(page, 'Acme renewal').hover()
  await page.getByRole('button', { name: 'Move Acme renewal to stage' }).click()
  await takeShot(page, 'move-menu')
  await page.getByRole('menuitem', { name: 'Partners', exact: true }).press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Won', exact: true }).click()
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  await expect(cardsOf(page, 'Acme renewal')).toHaveCount(0)
  await page.getByRole('button', { name: 'Pipeline: Sales' }).click()
  await page.getByRole('menuitemradio', { name: 'Partners', exact: true }).click()
  await expect(cardsOf(columnOf(page, 'Won'), 'Acme renewal')).toBeVisible()
  await expect(page).toHaveURL(/\/crm\/deals\?pipeline=/)
  await takeShot(page, 'board-partners')

  // After a visit to another page the board shows the same pipeline. The form of a new deal names the pipeline beside the stage 'Won'.
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard Overview')
  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Pipeline: Partners' })).toBeVisible()
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  const stageField = page.getByRole('dialog').getByRole('combobox', { name: 'Stage' })
  await stageField.click()
  await page.getByRole('option', { name: /Won.*Partners/ }).click()
  await expect(stageField).toHaveText('WonPartners')
  await takeShot(page, 'new-deal')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()

  // On the phone the stages are below the switch and the filters.
  const desktopSize = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const bar = page.getByRole('navigation', { name: 'Stages' }).getByRole('button')
  for (const index of [0, 1]) await expect(bar.nth(index)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeInViewport({ ratio: 1 })
  await takeShot(page, 'phone-partners')
  if (desktopSize) await page.setViewportSize(desktopSize)
  await page.keyboard.press('Control+z')
  await expect(cardsOf(page, 'Acme renewal')).toHaveCount(0)
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Incoming')
})

test('a dragged stage that is released before its last move is drawn is saved at the position of the pointer', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  await openAs(page, person, '/crm/settings')
  const grip = page.getByRole('button', { name: 'Move Proposal', exact: true })
  const incomingBox = await page.getByRole('button', { name: 'Move Incoming', exact: true }).boundingBox()
  await grip.hover()
  await page.mouse.down()
  // Sends both events in one task, as on a busy page, which handles the release before it has drawn the move.
  await grip.evaluate((handle, clientY) => {
    handle.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientY }))
    handle.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, clientY }))
  }, incomingBox?.y ?? 0)
  await page.mouse.up()
  await expect
    .poll(async () => {
      const { data } = await person.client.from('deal_stages').select('name').order('position').order('id').limit(2)
      return data?.map(({ name }) => name)
    })
    .toEqual(['Proposal', 'Incoming'])
})

test('a lost deal offers an optional reason; a card shows that its deal is longer in its stage than usual; contacts of a deal have parts', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Acme renewal', amount: 500, stage: 'Proposal' },
    {
      name: 'Roof',
      amount: 900,
      stage: 'Proposal',
      contact: { first: 'Zoe', last: 'Ray', email: 'zoe@ray.example' },
    },
  ])
  const { data: kai } = await person.client
    .from('contacts')
    .insert({ brand_id: person.brandId, first_name: 'Kai', last_name: 'Lund', email: 'kai@lund.example' })
    .select('id')
    .single()
  await person.client
    .from('deal_stages')
    .update({ usual_days: 14 })
    .eq('brand_id', person.brandId)
    .eq('name', 'Proposal')
  await runAsOwnerRole(
    server,
    `update deals set stage_since = now() - interval '20 days' where name = 'Roof' and brand_id = $1`,
    [person.brandId],
  )
  const { data: roof } = await person.client.from('deals').select('id').eq('name', 'Roof').single()
  const task = { brand_id: person.brandId, title: 'Call Zoe', deal_id: roof?.id }
  expect((await person.client.from('tasks').insert(task)).error).toBeNull()
  await openBoard(page, person)
  const waitText = 'In this stage for 20 days, usually 14'
  await expect(cardsOf(page, 'Roof').getByTitle(waitText)).toBeVisible()
  await expect(cardsOf(page, 'Roof')).toHaveAccessibleName(new RegExp(`${waitText}$`))
  await expect(cardsOf(page, 'Acme renewal').getByTitle(/In this stage/)).toHaveCount(0)
  const noTaskSign = cardsOf(page, 'Acme renewal').getByTitle('No next task')
  await expect(noTaskSign).toBeVisible()
  await expect(cardsOf(page, 'Acme renewal')).toHaveAccessibleName(/No next task$/)
  await takeShot(page, 'signs')
  // On a phone the sign 'No next task' is hidden, because its tooltip cannot be shown there. The card's name still says it.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('navigation', { name: 'Stages' }).getByRole('button', { name: 'Proposal' }).click()
  await expect(cardsOf(page, 'Acme renewal')).toBeVisible()
  await takeShot(page, 'signs-phone')
  await expect(cardsOf(page, 'Acme renewal')).toHaveAccessibleName(/No next task$/)
  await expect(noTaskSign).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 900 })

  await cardsOf(page, 'Acme renewal').hover()
  await page.getByRole('button', { name: 'Move Acme renewal to stage' }).click()
  await page.getByRole('menuitemradio', { name: /^Lost/ }).click()
  const reasonGroup = page.getByRole('group', { name: 'Lost reason' })
  await expect(reasonGroup.getByRole('button')).toHaveText([
    'Price',
    'Competitor',
    'No budget',
    'Bad timing',
    'No answer',
    'Other…',
  ])
  await takeShot(page, 'lost')
  // The toast must not cover a dialog. It is shown again after the dialog.
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog', { name: 'New Deal' })).toBeVisible()
  await expect(reasonGroup).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(reasonGroup).toBeVisible()
  const layerCount = () => page.evaluate(() => Number(history.state.layers ?? 0))
  const layersBefore = await layerCount()
  await reasonGroup.getByRole('button', { name: 'Other…' }).click()
  await page.keyboard.type('Bought')
  // Back returns to the reasons; the text stays.
  await expect.poll(layerCount).toBeGreaterThan(layersBefore)
  await page.goBack()
  await expect(reasonGroup.getByRole('button', { name: 'Other…' })).toBeFocused()
  await expect(page).toHaveURL(/\/crm\/deals$/)
  await page.keyboard.press('Enter')
  await expect(reasonGroup.getByRole('textbox', { name: 'Lost reason' })).toHaveValue('Bought')
  await page.keyboard.press('End')
  await page.keyboard.type(' a boat')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Lost reason: Bought a boat')
  await cardsOf(page, 'Acme renewal').click()
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const reasonField = panel.getByRole('combobox', { name: 'Lost reason' })
  await expect(reasonField).toHaveValue('Bought a boat')
  await expect(panel.getByRole('button', { name: /^Lost on: / })).toBeVisible()
  // The bar shows that the deal was in the third stage before it was lost.
  const segmentCount = async (tone: string) => panel.locator(`[aria-hidden=true] > .flex-1.${tone}`).count()
  await expect
    .poll(async () => [
      await segmentCount('bg-ink3'),
      await segmentCount('bg-active'),
      await segmentCount('bg-tone-dot'),
    ])
    .toEqual([3, 2, 1])
  await reasonField.click()
  await takeShot(page, 'lost-reasons')
  await page.getByRole('option', { name: 'Competitor', exact: true }).click()
  await expect(reasonField).toHaveValue('Competitor')
  await reasonField.click()
  await page.keyboard.type('Sold the house')
  await page.getByRole('option', { name: 'Add “Sold the house”' }).click()
  await expect(reasonField).toHaveValue('Sold the house')
  const storedReason = async () =>
    (await person.client.from('deals').select('lost_reason').eq('name', 'Acme renewal')).data
  await expect.poll(storedReason).toEqual([{ lost_reason: 'Sold the house' }])
  await takeShot(page, 'panel-lost')

  await page.goto(`/crm/deals`)
  await cardsOf(page, 'Roof').click()
  await panel.getByRole('button', { name: 'Add contact', exact: true }).click()
  await page.keyboard.type('Kai')
  await page.getByRole('option', { name: /Kai Lund/ }).click()
  // A contact has no part unless one was chosen.
  await expect(panel.getByRole('combobox', { name: 'Part of Kai Lund' })).toHaveText('Part…')
  await expect(panel.getByRole('combobox', { name: 'Part of Kai Lund' })).toBeFocused()
  await takeShot(page, 'panel-part')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Uses', exact: true }).click()
  await expect(panel.getByRole('link', { name: 'Kai Lund', exact: true })).toBeVisible()
  await expect(panel.getByRole('combobox', { name: 'Part of Kai Lund' })).toHaveText('Uses')
  await panel.getByRole('combobox', { name: 'Part of Kai Lund' }).click()
  await page.getByRole('option', { name: 'Pays', exact: true }).click()
  await expect(toastOf(page)).toContainText('Kai Lund pays now')
  await takeShot(page, 'panel-contacts')
  const dealContacts = async () => (await person.client.from('deal_contacts').select('contact_id, role')).data
  await expect.poll(dealContacts).toEqual([{ contact_id: kai?.id, role: 'pays' }])
  await panel.getByRole('button', { name: 'Remove Kai Lund from the deal' }).click()
  await expect(panel.getByRole('link', { name: 'Kai Lund', exact: true })).toHaveCount(0)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(panel.getByRole('link', { name: 'Kai Lund', exact: true })).toBeVisible()
  await expect.poll(dealContacts).toEqual([{ contact_id: kai?.id, role: 'pays' }])
  await expectAccessible(page)
  await panel.getByRole('link', { name: 'Kai Lund', exact: true }).click()
  const contactPanel = page.getByRole('complementary', { name: 'Contact' })
  await expect(contactPanel.getByRole('link', { name: /^Proposal: Roof Pays\s*£900$/ })).toBeVisible()
  await takeShot(page, 'panel-further-in')
})

test('a member sees the stages but cannot change them; their open board shows a renamed and moved stage at once', {
  tag: '@long',
}, async ({ page, server }) => {
  const owner = await personWithDeals(server, [{ name: 'Acme renewal', stage: 'Incoming' }])
  const bo = await createPerson(server, { name: 'bo' })
  const member = { p_brand_id: owner.brandId, p_email: bo.email, p_role: 'member' }
  expect((await owner.client.rpc('add_brand_member_by_email', member)).error).toBeNull()
  await openAs(page, bo, '/crm/settings')
  await expect(page.getByText('Admins and owners change pipelines and stages.', { exact: true })).toBeVisible()
  await expect(stageList(page, 'Sales').getByRole('listitem')).toHaveCount(6)
  await expect(stageList(page, 'Sales').getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  const { data } = await owner.client.from('deal_stages').select('id, name').eq('brand_id', owner.brandId)
  const idOf = (name: string) => data?.find((stage) => stage.name === name)?.id
  await owner.client.from('deal_stages').update({ name: 'New leads', color: 'amber' }).eq('id', idOf('Incoming'))
  await expect(cardsOf(columnOf(page, 'New leads'), 'Acme renewal')).toBeVisible()
  const stageIds = ['Qualified', 'Incoming', 'Proposal', 'Verbal Yes', 'Won', 'Lost'].map(idOf)
  await owner.client.rpc('set_positions', { p_brand_id: owner.brandId, p_table: 'deal_stages', p_ids: stageIds })
  await expect(page.locator('[data-stage] h2').first()).toHaveText('Qualified')
})

test('a new pipeline whose request fails or gets no response is completed by another try, and is added once', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/settings')
  await expect(stageList(page, 'Sales').getByRole('listitem')).toHaveCount(6)
  /** Lets the next write of a table fail: before it reaches the server, or (`isApplied`) after the server has applied it. */
  const failNext = (table: string, isApplied: boolean) =>
    page.route(
      `**/rest/v1/${table}*`,
      async (route) => {
        if (isApplied) await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
  const name = page.getByLabel('Pipeline name', { exact: true })
  const addButton = page.getByRole('button', { name: 'Add pipeline', exact: true })
  const noAnswer = 'The server does not answer. Check your connection and try again.'
  await page.getByRole('button', { name: 'New pipeline', exact: true }).click()
  await name.fill('Partner')
  await failNext('pipelines', true)
  await addButton.click()
  await expect(toastOf(page)).toHaveText(`Error adding pipeline${noAnswer}`)
  await name.fill('Partners')
  await failNext('deal_stages', false)
  await addButton.click()
  await expect(toastOf(page)).toContainText(`${noAnswer} The pipeline has no stages yet.`)
  await failNext('deal_stages', true)
  await addButton.click()
  await expect(addButton).toBeEnabled()
  await addButton.click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(stageList(page, 'Partners').getByRole('listitem')).toHaveText(['Incoming', 'Won', 'Lost'])
  await page.getByRole('button', { name: 'New pipeline', exact: true }).click()
  await name.fill('Resellers')
  await addButton.click()
  await expect(stageList(page, 'Resellers').getByRole('listitem')).toHaveCount(3)
  const { data } = await person.client.from('pipelines').select('name, deal_stages(name)').order('position')
  expect(data?.map((row) => [row.name, row.deal_stages.length])).toEqual([
    ['Sales', 6],
    ['Partners', 3],
    ['Resellers', 3],
  ])
})
