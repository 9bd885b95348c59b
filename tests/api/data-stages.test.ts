import { expect, test, vi } from 'vitest'
import { dataOf, goOnline, goOffline, makeDeal, untilSent } from '../harness/acme.ts'
import { acme, replaceDevice, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

/** Creates a second pipeline with the stages Talks and Won. Returns its id, and the ids of its stages by name. */
async function addPartners(): Promise<{ id: string; Talks: string; Won: string }> {
  const rows = await inDatabase<{ name: string; id: string; of: string }>(
    `with made as (insert into public.pipelines (brand_id, name) values ($1, 'Partners') returning id)
     insert into public.deal_stages (brand_id, pipeline_id, name) select $1, id, name from made, unnest(array['Talks', 'Won']) name
     returning name, id, pipeline_id as of`,
    acme.brandId,
  )
  await acme.tab.requestPull(acme.tab.device)
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? ''
  return { id: rows[0]?.of ?? '', Talks: idOf('Talks'), Won: idOf('Won') }
}

/** Returns for each stage of a board: its name, the number of its deals, and the name of the first deal, or null. */
function boardOf(pipeline?: string) {
  const { columns } = acme.tab.boardView(dataOf(acme.tab), { pipeline }).read()
  return columns.map(({ stage, count, at }) => [stage.name, count, count > 0 ? at(0)?.deal.name : null])
}

const salesStages = ['Incoming', 'Qualified', 'Proposal', 'Verbal Yes', 'Won', 'Lost']

test('the board has the stages of one pipeline; a deal moves to another pipeline and back offline, with its history', async () => {
  const partners = await addPartners()
  const id = await makeDeal(acme.tab)
  const deal = () => dataOf(acme.tab).tables.deals.get(id)
  const firstStageId = deal()?.stage_id ?? ''
  expect(boardOf().map(([name]) => name)).toEqual(salesStages)
  expect(boardOf(partners.id)).toEqual([
    ['Talks', 0, null],
    ['Won', 0, null],
  ])
  goOffline(acme)
  await acme.tab.moveDeal(acme.tab.device, id, partners.Won)
  expect(boardOf(partners.Talks)).toEqual([
    ['Talks', 0, null],
    ['Won', 1, 'Data migration'],
  ])
  expect(boardOf('all').map(([name]) => name)).toEqual([...salesStages, 'Talks', 'Won'])
  expect(deal()?.closed_at).not.toBeNull()
  await acme.tab.moveDeal(acme.tab.device, id, firstStageId)
  expect(boardOf()[0]).toEqual(['Incoming', 1, 'Data migration'])
  await goOnline(acme)
  await untilSent(acme.tab)
  const history = await inDatabase<{ to_stage_id: string }>(
    'select to_stage_id from public.deal_stage_changes where deal_id = $1 order by id',
    id,
  )
  expect(history.map(({ to_stage_id: to }) => to)).toEqual([firstStageId, partners.Won, firstStageId])
})

test('a new device shows the board of a pipeline, also if it is requested by the id of one of its stages', async () => {
  const partners = await addPartners()
  await makeDeal(acme.tab, { stage_id: partners.Talks })
  await replaceDevice()
  await vi.waitFor(() => expect(boardOf(partners.Talks)[0]).toEqual(['Talks', 1, 'Data migration']), 5000)
  expect(dataOf(acme.tab).tables.pipelines.size).toBe(2)
})

test('pipelines and stages are shown in their order as soon as an admin has changed it', async () => {
  const partners = await addPartners()
  await inDatabase(
    'update public.pipelines set position = 3 where brand_id = $1 and id <> $2',
    acme.brandId,
    partners.id,
  )
  await acme.tab.requestPull(acme.tab.device)
  expect(boardOf().map(([name]) => name)).toEqual(['Talks', 'Won'])
  const outcome = await acme.tab.reorder(acme.tab.device, 'deal_stages', [partners.Won, partners.Talks])
  expect(outcome.status).toBe('saved')
  expect(boardOf().map(([name]) => name)).toEqual(['Won', 'Talks'])
})

test('a stage or a pipeline that two admins edit at the same time keeps the changes of both', async () => {
  const partners = await addPartners()
  const { deal_stages: stages, pipelines } = dataOf(acme.tab).tables
  const [stage, pipeline] = [stages.get(partners.Talks), pipelines.get(partners.id)]
  if (!stage || !pipeline) throw new Error('The pipeline was not pulled.')
  const { name, kind, color, usual_days } = stage
  await inDatabase(
    `with renamed as (update public.pipelines set name = 'Resellers' where id = $1)
     update public.deal_stages set color = 'red', probability = 20 where id = $2`,
    partners.id,
    partners.Talks,
  )
  const ownEdit = { name: 'First talks', kind, color, probability: stage.probability, usual_days }
  expect((await acme.tab.saveStage(acme.tab.device, stage, ownEdit)).status).toBe('saved')
  expect(stages.get(partners.Talks)).toMatchObject({ name: 'First talks', color: 'red', probability: 20 })
  const ownReasons = { name: pipeline.name, lost_reasons: ['Too slow'] }
  expect((await acme.tab.savePipeline(acme.tab.device, pipeline, ownReasons)).status).toBe('saved')
  expect(pipelines.get(partners.id)).toMatchObject({ name: 'Resellers', lost_reasons: ['Too slow'] })
  // Without a change, nothing is sent.
  expect((await acme.tab.saveStage(acme.tab.device, stage, { ...ownEdit, name })).status).toBe('saved')
  await acme.tab.requestPull(acme.tab.device)
  expect(stages.get(partners.Talks)?.name).toBe('First talks')
})

test('the deals with an open task are known as soon as the device has a task of a deal', async () => {
  const [callDeal, otherDeal] = [await makeDeal(acme.tab), await makeDeal(acme.tab, { name: 'Roof' })]
  const dealsWithTask = () => acme.tab.dealsWithTasks(dataOf(acme.tab)).read()
  expect(dealsWithTask()).toBeNull()
  const task = { title: 'Call', due_at: null, priority: 'normal' as const, contact_id: null }
  const { id } = (await acme.tab.createTask(acme.tab.device, { ...task, deal_id: callDeal })) as { id: string }
  expect([...(dealsWithTask() ?? [])]).toEqual([callDeal])
  await acme.tab.createTask(acme.tab.device, { ...task, deal_id: otherDeal })
  await acme.tab.setTaskStatus(acme.tab.device, id, 'done')
  expect([...(dealsWithTask() ?? [])]).toEqual([otherDeal])
})

test('further contacts of a deal are added, changed, removed and restored offline', async () => {
  const deal = await makeDeal(acme.tab)
  const [contact] = await inDatabase<{ id: string }>(
    `insert into public.contacts (brand_id, first_name, email) values ($1, 'Zoe', 'zoe@x.test') returning id`,
    acme.brandId,
  )
  await acme.tab.requestPull(acme.tab.device)
  const view = acme.tab.contactsOfDeal(dataOf(acme.tab), deal)
  const contactsShown = () => view.read().entries.map(({ row, name }) => [name, row.role])
  const furtherDeals = acme.tab.furtherDealsOfContact(dataOf(acme.tab), contact?.id ?? '')
  const dealsShown = () => furtherDeals.read().entries.map(({ card, role }) => [card.deal.name, role])
  goOffline(acme)
  const addition = await acme.tab.addDealContact(acme.tab.device, deal, { id: contact?.id ?? '', label: 'Zoe' }, 'pays')
  const id = addition.status === 'refused' ? '' : addition.id
  await acme.tab.updateRecord(acme.tab.device, 'deal_contacts', id, { role: 'uses' })
  expect(contactsShown()).toEqual([['Zoe', 'uses']])
  expect(dealsShown()).toEqual([['Data migration', 'uses']])
  await acme.tab.deleteRecords(acme.tab.device, 'deal_contacts', [id])
  expect(dealsShown()).toEqual([])
  expect(contactsShown()).toEqual([])
  await acme.tab.restoreRecords(acme.tab.device, 'deal_contacts', [id])
  expect(contactsShown()).toEqual([['Zoe', 'uses']])
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(await inDatabase('select role from public.deal_contacts where brand_id = $1', acme.brandId)).toEqual([
    { role: 'uses' },
  ])
  // The row is deleted with its contact, and restored with it.
  await acme.tab.deleteRecords(acme.tab.device, 'contacts', [contact?.id ?? ''])
  expect(contactsShown()).toEqual([])
  await acme.tab.restoreRecords(acme.tab.device, 'contacts', [contact?.id ?? ''])
  await acme.tab.requestPull(acme.tab.device)
  expect(contactsShown()).toEqual([['Zoe', 'uses']])
})
