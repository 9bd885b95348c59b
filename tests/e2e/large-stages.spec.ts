import { expect, openAs, test, toastOf } from '../harness/browser.ts'
import { personWithDeals, runAsOwnerRole } from './deal-seeds.ts'

test('the dialog of a delete that stopped after a part of 2,001 deals says that the rest cannot be undone either, and offers no Undo', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  await runAsOwnerRole(
    server,
    `insert into public.deals (brand_id, name, stage_id)
     select s.brand_id, 'Deal ' || n, s.id from public.deal_stages s, generate_series(1, 2001) n where s.brand_id = $1 and s.name = 'Proposal'`,
    [person.brandId],
  )
  await openAs(page, person, '/crm/settings')
  const refuse = (status: number, code: string, message: string) => ({ status, json: { code, message } })
  let deletes = 0
  await page.route('**/rpc/delete_deal_stage', (route) => {
    deletes += 1
    return deletes === 1
      ? route.fulfill(refuse(504, '57014', 'canceling statement due to statement timeout'))
      : route.continue()
  })
  let pieces = 0
  await page.route('**/rpc/clear_deal_stage', (route) => {
    pieces += 1
    return pieces === 1 ? route.continue() : route.fulfill(refuse(400, '22023', 'This stage is busy.'))
  })
  const stages = page.getByRole('list', { name: 'Stages of Sales', exact: true })
  await stages.getByRole('button', { name: 'Proposal', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true })
  await expect(dialog).toContainText(
    '2,001 deals are in this stage. They move with their history. This cannot be undone.',
  )
  await confirm.click()
  await expect(toastOf(page)).toContainText('This stage is busy.')
  await expect(dialog).toContainText('1 deal is in this stage. It moves with its history. This cannot be undone.')
  await confirm.click()
  await expect(toastOf(page)).toContainText('1 deal moved to Qualified')
  await expect(toastOf(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expect(stages).not.toContainText('Proposal')
})
