import { expect, it } from 'vitest'
import { dataOf } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

// `verifies: false`: the device is not compared with a new device afterwards, because the new one would fetch 50,000 deals.
setUpAcme({ verifies: false })

const dealCount = 50_000

it('a stage of 50,000 deals changes its kind and is deleted, although one statement for it takes longer than the server allows', async () => {
  const { tab, brandId, browser } = acme
  const stages = [...dataOf(tab).tables.deal_stages.values()]
  const [stage, target] = ['Qualified', 'Proposal'].map((name) => stages.find((found) => found.name === name))
  if (!stage || !target) throw new Error('A stage is missing.')
  await inDatabase(
    `insert into public.deals (brand_id, name, amount, stage_id)
     select $1, 'Deal ' || n, n % 500, $2 from generate_series(1, $3::integer) n`,
    brandId,
    stage.id,
    dealCount,
  )
  await inDatabase('analyze')
  const requests: string[] = []
  browser.network.judge = (url) => {
    requests.push(new URL(url).pathname)
    return 'pass'
  }
  const pieceCount = (name: string) => requests.filter((path) => path.endsWith(name)).length
  const readDeals = () =>
    inDatabase(
      `select stage_id, closed_at is not null as closed, count(*)::integer as n, max(version) as version
       from public.deals where brand_id = $1 group by 1, 2`,
      brandId,
    )

  const startedAt = performance.now()
  const values = { ...stage, kind: 'won' as const }
  expect(await tab.saveStage(tab.device, stage, values)).toEqual({ status: 'saved', id: stage.id })
  const savedAt = performance.now()
  // A machine that is fast enough for one statement sends no piece.
  expect([0, dealCount / 2000 + 1]).toContain(pieceCount('/apply_stage_kind'))
  expect(await readDeals()).toEqual([{ stage_id: stage.id, closed: true, n: dealCount, version: 2 }])

  expect(await tab.deleteStage(tab.device, stage.id, target.id)).toEqual({ status: 'saved', id: stage.id })
  const kindSeconds = (savedAt - startedAt) / 1000
  const deleteSeconds = (performance.now() - savedAt) / 1000
  console.info(`a new kind: ${kindSeconds.toFixed(1)} s, the delete: ${deleteSeconds.toFixed(1)} s`)
  expect(pieceCount('/clear_deal_stage')).toBe(dealCount / 2000)
  expect(await readDeals()).toEqual([{ stage_id: target.id, closed: false, n: dealCount, version: 3 }])
  const history = await inDatabase(
    `select count(*)::integer as n, count(distinct deal_id)::integer as deals from public.deal_stage_changes
     where brand_id = $1 and from_stage_id = $2 and to_stage_id = $3 and changed_by = $4`,
    brandId,
    stage.id,
    target.id,
    acme.userId,
  )
  expect(history).toEqual([{ n: dealCount, deals: dealCount }])
  expect(await inDatabase('select * from private.wrong_figures()')).toEqual([])
})
