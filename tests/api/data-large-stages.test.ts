import { expect, test, vi } from 'vitest'
import { dataOf, goOffline, makeDeal } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'
import { canceledResponse, cancelFirst } from '../harness/canceled-statement.ts'

setUpAcme()

const rpcPath = '/rest/v1/rpc'
const stageNamed = (name: string) =>
  [...dataOf(acme.tab).tables.deal_stages.values()].find((stage) => stage.name === name) ??
  expect.fail(`There is no stage ${name}.`)

async function addDeals(count: number, stageId: string): Promise<void> {
  await inDatabase(
    `insert into public.deals (brand_id, name, stage_id) select $1, 'Deal ' || n, $2 from generate_series(1, $3::integer) n`,
    acme.brandId,
    stageId,
    count,
  )
}

/** Returns the number of deals in each stage, and how many of them are closed, by the stage's name. */
async function dealsByStage(): Promise<Record<string, { n: number; closed: number }>> {
  const rows = await inDatabase<{ name: string; n: number; closed: number }>(
    `select s.name, count(*)::integer as n, count(d.closed_at)::integer as closed
     from public.deals d join public.deal_stages s on s.id = d.stage_id where d.brand_id = $1 group by s.name`,
    acme.brandId,
  )
  return Object.fromEntries(rows.map(({ name, n, closed }) => [name, { n, closed }]))
}

const countOf = (requests: readonly string[], path: string) =>
  requests.filter((request) => request.endsWith(path)).length

test('a stage whose delete takes too long is deleted after its deals were moved in pieces', async () => {
  const [from, to] = [stageNamed('Qualified'), stageNamed('Proposal')]
  await addDeals(2001, from.id)
  const requests = cancelFirst(acme, 'POST', `${rpcPath}/delete_deal_stage`)
  expect(await acme.tab.deleteStage(acme.tab.device, from.id, to.id)).toEqual({ status: 'saved', id: from.id })
  expect(countOf(requests, '/clear_deal_stage')).toBe(2)
  expect(await dealsByStage()).toEqual({ Proposal: { n: 2001, closed: 0 } })
  expect(dataOf(acme.tab).tables.deal_stages.get(from.id)).toBeUndefined()
})

test('a pipeline whose delete takes too long is deleted after the deals of its stages were moved in pieces', async () => {
  const { tab } = acme
  const ids = tab.newPipelineIds()
  expect((await tab.addPipeline(tab.device, 'Partners', ids)).status).toBe('saved')
  await addDeals(2001, ids.stages[0] ?? '')
  await addDeals(2, ids.stages[1] ?? '')
  const requests = cancelFirst(acme, 'POST', `${rpcPath}/delete_pipeline`)
  const outcome = await tab.deletePipeline(tab.device, ids.pipeline, stageNamed('Proposal').id)
  expect(outcome).toEqual({ status: 'saved', id: ids.pipeline })
  expect(countOf(requests, '/clear_pipeline')).toBe(2)
  expect(await dealsByStage()).toEqual({ Proposal: { n: 2003, closed: 0 } })
})

test('a stage whose change of kind takes too long gets it after its deals were closed in pieces, with its other new values', async () => {
  const stage = stageNamed('Qualified')
  await addDeals(2001, stage.id)
  const requests = cancelFirst(acme, 'PATCH', '/rest/v1/deal_stages')
  const values = { ...stage, name: 'Signed', kind: 'won' as const }
  expect(await acme.tab.saveStage(acme.tab.device, stage, values)).toEqual({ status: 'saved', id: stage.id })
  expect(countOf(requests, '/apply_stage_kind')).toBe(2)
  expect(await dealsByStage()).toEqual({ Signed: { n: 2001, closed: 2001 } })
  expect(dataOf(acme.tab).tables.deal_stages.get(stage.id)).toMatchObject({ name: 'Signed', kind: 'won' })
})

test('a change of a small stage is one request', async () => {
  const [from, to] = [stageNamed('Qualified'), stageNamed('Proposal')]
  await makeDeal(acme.tab, { stage_id: from.id })
  const requests: string[] = []
  acme.browser.network.judge = (url, init) => {
    if (init.method !== 'GET') requests.push(`${init.method} ${new URL(url).pathname}`)
    return 'pass'
  }
  await acme.tab.saveStage(acme.tab.device, from, { ...from, kind: 'lost' })
  await acme.tab.deleteStage(acme.tab.device, from.id, to.id)
  expect(requests.filter((request) => !request.endsWith('/pull'))).toEqual([
    'PATCH /rest/v1/deal_stages',
    `POST ${rpcPath}/delete_deal_stage`,
  ])
})

test('a change of the kind that stops half-way leaves the stage with its old kind, and the same change finishes it', async () => {
  const stage = stageNamed('Qualified')
  await addDeals(2001, stage.id)
  const values = { ...stage, kind: 'won' as const }
  const save = () => acme.tab.saveStage(acme.tab.device, stage, values)
  let pieces = 0
  acme.browser.network.judge = (url, init) => {
    if (init.method === 'PATCH') return canceledResponse()
    if (!url.endsWith('/apply_stage_kind')) return 'pass'
    pieces += 1
    return pieces === 1 ? 'pass' : Response.json({ code: 'P0001', message: 'NOT_AUTHORIZED' }, { status: 403 })
  }
  expect(await save()).toMatchObject({ status: 'refused', message: 'NOT_AUTHORIZED' })
  expect(await dealsByStage()).toEqual({ Qualified: { n: 2001, closed: 2000 } })
  acme.browser.network.judge = () => 'pass'
  await acme.tab.requestPull(acme.tab.device)
  expect(stageNamed('Qualified').kind).toBe('open')
  expect((await save()).status).toBe('saved')
  expect(await dealsByStage()).toEqual({ Qualified: { n: 2001, closed: 2001 } })
})

test('a change of a stage without network is refused at once, and no piece is sent', async () => {
  const [from, to] = [stageNamed('Qualified'), stageNamed('Proposal')]
  goOffline(acme)
  const outcomes = await Promise.all([
    acme.tab.deleteStage(acme.tab.device, from.id, to.id),
    acme.tab.saveStage(acme.tab.device, from, { ...from, kind: 'won' }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'refused'])
  acme.browser.network.judge = () => 'pass'
  await vi.waitFor(() => acme.tab.requestPull(acme.tab.device))
})
