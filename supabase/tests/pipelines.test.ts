import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilLockWait } from '#tests/harness/lock-wait.ts'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
/** The ids of the stages of the first pipeline, by name. */
let salesStages: Record<string, string>
/** The ids of the second pipeline, and of its two stages. */
const [partners, talks, signed] = [randomUUID(), randomUUID(), randomUUID()]

const runAs = (person: Person) => {
  const query = scene.as(person)
  return (text: string, ...values: unknown[]) => query(text, [scene.acme, ...values])
}
const bo = (text: string, ...values: unknown[]) => runAs('bo')(text, ...values)
/** Runs a statement as an admin. */
const cy = (text: string, ...values: unknown[]) => runAs('cy')(text, ...values)

async function addDeal(stage: string, values = `'Deal'`): Promise<string> {
  const id = randomUUID()
  await bo(`insert into deals (brand_id, id, stage_id, name) values ($1, $2, $3, ${values})`, id, stage)
  return id
}
const stageOf = async (deal: string) =>
  (await bo('select stage_id from deals where brand_id = $1 and id = $2', deal)).rows[0]?.stage_id
const move = (deal: string, stage: string) =>
  bo('update deals set stage_id = $3 where brand_id = $1 and id = $2', deal, stage)
const historyOf = async (deal: string) =>
  (
    await bo(
      'select from_stage_id, to_stage_id from deal_stage_changes where brand_id = $1 and deal_id = $2 order by id',
      deal,
    )
  ).rows
const addStage = async (name: string, pipeline = partners) => {
  const id = randomUUID()
  await cy('insert into deal_stages (brand_id, id, pipeline_id, name) values ($1, $2, $3, $4)', id, pipeline, name)
  return id
}

beforeAll(async () => {
  scene = await openScene()
  const { rows } = await bo('select name, id from deal_stages where brand_id = $1')
  salesStages = Object.fromEntries(rows.map(({ name, id }) => [name, id]))
  await cy(`insert into pipelines (brand_id, id, name) values ($1, $2, ' Partners ')`, partners)
  await cy(
    `insert into deal_stages (brand_id, id, pipeline_id, name) values ($1, $2, $4, 'Talks'), ($1, $3, $4, 'Won')`,
    talks,
    signed,
    partners,
  )
})
afterAll(() => scene.drop())

describe('pipelines', () => {
  it('a new brand has one pipeline, with the six stages of the specification', async () => {
    const id = randomUUID()
    await scene.as('bo')(`insert into brands (id, name) values ($1, 'Fresh')`, [id])
    const { rows } = await scene.as('bo')(
      `select p.name as pipeline, array_agg(s.name order by s.position) as stages, array_agg(s.kind order by s.position) as kinds
       from pipelines p join deal_stages s on s.brand_id = p.brand_id and s.pipeline_id = p.id where p.brand_id = $1 group by p.name`,
      [id],
    )
    const stages = ['Incoming', 'Qualified', 'Proposal', 'Verbal Yes', 'Won', 'Lost']
    expect(rows).toEqual([{ pipeline: 'Sales', stages, kinds: ['open', 'open', 'open', 'open', 'won', 'lost'] }])
    await scene.as('bo')('delete from brands where id = $1', [id])
  })

  it('a stage that is added without a pipeline becomes the last one of the first pipeline; each pipeline numbers its own stages', async () => {
    const { rows } = await cy(
      `insert into deal_stages (brand_id, name) values ($1, 'Old client') returning pipeline_id = $2 as partners, position`,
      partners,
    )
    expect(rows).toEqual([{ partners: false, position: 7 }])
    expect((await bo('select position from deal_stages where brand_id = $1 and id = $2', signed)).rows).toEqual([
      { position: 2 },
    ])
    await cy(`delete from deal_stages where brand_id = $1 and name = 'Old client'`)
  })

  it('pipelines are changed by admins and owners only, and deleted only by delete_pipeline', async () => {
    expect(await refusalOf(bo(`insert into pipelines (brand_id, name) values ($1, 'Mine')`))).toMatch(/^42501/)
    expect((await bo(`update pipelines set name = 'Mine' where brand_id = $1`)).rowCount).toBe(0)
    expect(await refusalOf(cy('delete from pipelines where brand_id = $1'))).toMatch(/^42501/)
    expect(await refusalOf(bo('select delete_pipeline($1, $2)', partners))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(bo('select delete_deal_stage($1, $2)', talks))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(bo(`select set_positions($1, 'pipelines', array[$2::uuid])`, partners))).toBe(
      'P0001 NOT_AUTHORIZED',
    )
  })

  it('the names and lost reasons of pipelines are trimmed, limited in length and not empty', async () => {
    const reasons = [' Price ', 'price', '', 'Other']
    const { rows } = await cy(
      'update pipelines set lost_reasons = $3 where brand_id = $1 and id = $2 returning name, lost_reasons',
      partners,
      reasons,
    )
    expect(rows).toEqual([{ name: 'Partners', lost_reasons: ['Price', 'Other'] }])
    const refusalOfReasons = (texts: string[]) =>
      refusalOf(cy('update pipelines set lost_reasons = $3 where brand_id = $1 and id = $2', partners, texts))
    expect(await refusalOfReasons(['x'.repeat(201)])).toMatch(/^23514/)
    expect(await refusalOfReasons(Array.from({ length: 31 }, (_, i) => `Reason ${i}`))).toMatch(/^23514/)
    expect(await refusalOf(cy(`update pipelines set name = ' ' where brand_id = $1`))).toMatch(/^23514/)
  })

  it('pipelines refuse a stage of another brand, and a stage in a pipeline of another brand', async () => {
    const pipelineOfUmbra = (await scene.as('eve')('select id from pipelines where brand_id = $1', [scene.umbra]))
      .rows[0]?.id
    expect(
      await refusalOf(
        cy(`insert into deal_stages (brand_id, pipeline_id, name) values ($1, $2, 'Spy')`, pipelineOfUmbra),
      ),
    ).toMatch(/^23503/)
    const deal = await addDeal(talks)
    const stage = (await scene.as('eve')('select id from deal_stages where brand_id = $1', [scene.umbra])).rows[0]?.id
    expect(await refusalOf(cy('select delete_deal_stage($1, $2, $3)', talks, stage))).toMatch(/^22023/)
    expect(await refusalOf(cy('select delete_deal_stage($1, $2)', stage))).toMatch(/^22023 This stage is not here/)
    expect(await stageOf(deal)).toBe(talks)
  })

  it('a brand has at most 20 pipelines, with 30 stages each', async () => {
    const selectNames = (n: number) => `select $1, 'P' || i from generate_series(1, ${n}) i`
    expect(await refusalOf(cy(`insert into pipelines (brand_id, name) ${selectNames(20)}`))).toMatch(/^54000/)
    expect(
      await refusalOf(
        cy(
          `insert into deal_stages (brand_id, pipeline_id, name) select $1, $2, 'S' || i from generate_series(1, 29) i`,
          partners,
        ),
      ),
    ).toMatch(/^54000/)
  })

  it('set_positions changes the order of the stages of a pipeline, and refuses tables without positions', async () => {
    await cy(`select set_positions($1, 'deal_stages', array[$2, $3]::uuid[])`, signed, talks)
    const stageNames = async () =>
      (await bo('select name from deal_stages where brand_id = $1 and pipeline_id = $2 order by position', partners))
        .rows
    expect(await stageNames()).toEqual([{ name: 'Won' }, { name: 'Talks' }])
    await cy(`select set_positions($1, 'deal_stages', array[$2, $3]::uuid[])`, talks, signed)
    expect(await stageNames()).toEqual([{ name: 'Talks' }, { name: 'Won' }])
    expect(await refusalOf(cy(`select set_positions($1, 'deals', array[$2]::uuid[])`, talks))).toMatch(/^22023/)
  })

  it('the board shows the cards of one pipeline and the stages and totals of all; a new deal starts in the first pipeline', async () => {
    const deal = await addDeal(talks, `'Joint offer'`)
    type Board = { deals: { id: string }[]; pipelines: unknown[]; stages: unknown[]; totals: { stage_id: string }[] }
    const board = async (pipeline: string | null) =>
      (await bo('select board($1, 20, null, $2) as board', pipeline)).rows[0]?.board as Board
    const firstBoard = await board(null)
    expect(firstBoard.deals.map(({ id }) => id)).not.toContain(deal)
    expect([firstBoard.pipelines.length, firstBoard.stages.length]).toEqual([2, 8])
    expect(firstBoard.totals.map(({ stage_id: id }) => id)).toContain(talks)
    expect((await board(partners)).deals.map(({ id }) => id)).toContain(deal)
    const { rows } = await bo(`select quick_create_deal($1, 'Quick', null) as id`)
    expect(await stageOf(String(rows[0]?.id))).toBe(salesStages.Incoming)
    expect((await scene.owner.query('select * from private.wrong_figures()')).rows).toEqual([])
  })
})

describe('delete_deal_stage', () => {
  it('delete_deal_stage moves the deals to the named stage and adds the moves to their history; without that stage it is refused', async () => {
    const stage = await addStage('Short')
    const deal = await addDeal(stage)
    expect(await refusalOf(cy('select delete_deal_stage($1, $2)', stage))).toMatch(/^22023 Deals are here/)
    expect(await refusalOf(cy('select delete_deal_stage($1, $2, $2)', stage))).toMatch(/^22023/)
    const { rows } = await cy('select delete_deal_stage($1, $2, $3) as moved', stage, salesStages.Proposal)
    expect(rows).toEqual([{ moved: 1 }])
    expect(await historyOf(deal)).toEqual([
      { from_stage_id: null, to_stage_id: stage },
      { from_stage_id: stage, to_stage_id: salesStages.Proposal },
    ])
    expect((await scene.owner.query('select * from private.wrong_figures()')).rows).toEqual([])
  })

  it('restore_moved undoes delete_deal_stage: the stage returns with its deals, their time in it and their closing day, except deals that were moved on', async () => {
    const id = randomUUID()
    await cy(
      `insert into deal_stages (brand_id, id, pipeline_id, name, kind) values ($1, $2, $3, 'Gone', 'lost')`,
      id,
      partners,
    )
    const [stays, movedOn, deleted] = [await addDeal(id), await addDeal(id), await addDeal(id)]
    await scene.owner.query(
      `update deals set stage_since = now() - interval '9 days', closed_at = '2026-03-04', lost_reason = 'Price' where stage_id = $1`,
      [id],
    )
    const readDeals = async () =>
      (
        await scene.owner.query(
          'select id, stage_id, stage_since, closed_at, lost_reason from deals where id = any ($1) order by id',
          [[stays, movedOn]],
        )
      ).rows
    const before = await readDeals()
    await cy('select delete_deal_stage($1, $2, $3)', id, talks)
    expect((await readDeals()).map(({ closed_at }) => closed_at)).toEqual([null, null])
    await move(movedOn, salesStages.Proposal ?? '')
    await bo('delete from deals where brand_id = $1 and id = $2', deleted)
    const restore = () => cy(`select restore_moved($1, 'deal_stages', array[$2]::uuid[]) as n`, id)
    expect(await refusalOf(bo(`select restore_moved($1, 'deal_stages', array[$2]::uuid[])`, id))).toBe(
      'P0001 NOT_AUTHORIZED',
    )
    expect((await restore()).rows).toEqual([{ n: 1 }])
    const after = await readDeals()
    expect(after.find((deal) => deal.id === stays)).toEqual(before.find((deal) => deal.id === stays))
    expect(await stageOf(movedOn)).toBe(salesStages.Proposal)
    expect(await refusalOf(restore())).toMatch(/^22023 It cannot come back/)
    expect((await scene.owner.query('select * from private.wrong_figures()')).rows).toEqual([])
    await cy('select delete_deal_stage($1, $2, $3)', id, talks)
  })

  it('the delete of a stage with more than 2,000 deals cannot be undone, and restore_moved says why', async () => {
    const stage = await addStage('Large')
    await scene.owner.query(
      `insert into deals (brand_id, name, stage_id) select $1, 'Many ' || n, $2 from generate_series(1, 2001) n`,
      [scene.acme, stage],
    )
    await cy('select delete_deal_stage($1, $2, $3)', stage, talks)
    expect((await scene.owner.query('select 1 from private.moved_records where from_id = $1', [stage])).rowCount).toBe(
      0,
    )
    expect(await refusalOf(cy(`select restore_moved($1, 'deal_stages', array[$2]::uuid[])`, stage))).toBe(
      '22023 More than 2000 records were moved: this cannot be undone.',
    )
    await scene.owner.query(`delete from deals where brand_id = $1 and name like 'Many %'`, [scene.acme])
  })

  it('delete_deal_stage lets a deal that was deleted before be restored into the same pipeline', async () => {
    const stage = await addStage('Passing')
    const deal = await addDeal(stage)
    await bo('delete from deals where brand_id = $1 and id = $2', deal)
    await cy('select delete_deal_stage($1, $2)', stage)
    await bo(`select restore_records($1, 'deals', array[$2::uuid])`, deal)
    expect(await stageOf(deal)).toBe(talks)
  })

  it('delete_deal_stage refuses to delete the last open stage of a pipeline; restore_records undoes the delete of an empty stage', async () => {
    expect(await refusalOf(cy('select delete_deal_stage($1, $2, $3)', talks, signed))).toMatch(/^22023 The last open/)
    const stage = await addStage('Empty')
    await cy(
      `update deal_stages set color = 'blue', probability = 40, usual_days = 9 where brand_id = $1 and id = $2`,
      stage,
    )
    const readStage = async () =>
      (
        await bo(
          'select pipeline_id, name, position, kind, color, probability, usual_days from deal_stages where brand_id = $1 and id = $2',
          stage,
        )
      ).rows[0]
    const before = await readStage()
    await cy('select delete_deal_stage($1, $2)', stage)
    expect(await readStage()).toBeUndefined()
    await cy(`select restore_records($1, 'deal_stages', array[$2::uuid])`, stage)
    expect(await readStage()).toEqual(before)
    await cy('select delete_deal_stage($1, $2)', stage)
  })

  it('delete_deal_stage does not let two admins delete the last two open stages at once', async () => {
    const stage = await addStage('Other')
    const results = await Promise.all([
      cy('select delete_deal_stage($1, $2, $3)', talks, signed).then(() => 'deleted', String),
      runAs('ana')('select delete_deal_stage($1, $2, $3)', stage, signed).then(() => 'deleted', String),
    ])
    expect(results.toSorted()).toEqual(['deleted', expect.stringContaining('The last open stage')])
    await cy(`select restore_records($1, 'deal_stages', array[$2::uuid, $3::uuid])`, talks, stage)
    await cy('select delete_deal_stage($1, $2)', stage)
  })
})

describe('delete_pipeline', () => {
  it('delete_pipeline moves the deals and deletes the stages; only an admin restores the pipeline; the last pipeline stays', async () => {
    const pipeline = randomUUID()
    await cy(`insert into pipelines (brand_id, id, name) values ($1, $2, 'Short lived')`, pipeline)
    const stage = await addStage('Only', pipeline)
    const deal = await addDeal(stage)
    expect(await refusalOf(cy('select delete_pipeline($1, $2)', pipeline))).toMatch(/^22023 Deals are here/)
    await cy('select delete_pipeline($1, $2, $3)', pipeline, talks)
    expect(await stageOf(deal)).toBe(talks)
    expect(await refusalOf(bo(`select restore_records($1, 'pipelines', array[$2::uuid])`, pipeline))).toBe(
      'P0001 NOT_AUTHORIZED',
    )
    await cy(`select restore_records($1, 'pipelines', array[$2::uuid])`, pipeline)
    await cy(`select restore_records($1, 'deal_stages', array[$2::uuid])`, stage)
    expect((await bo('select pipeline_id from deal_stages where brand_id = $1 and id = $2', stage)).rows).toEqual([
      { pipeline_id: pipeline },
    ])
    await cy('select delete_pipeline($1, $2)', pipeline)
    const onlyPipeline = (await scene.as('eve')('select id from pipelines where brand_id = $1', [scene.umbra])).rows[0]
      ?.id
    expect(await refusalOf(scene.as('eve')('select delete_pipeline($1, $2)', [scene.umbra, onlyPipeline]))).toBe(
      '22023 The last pipeline stays.',
    )
  })
})

describe('a deal', () => {
  it('a deal keeps its history when it moves to another pipeline and back', async () => {
    const deal = await addDeal(talks)
    const stages = () => [talks, signed, ...Object.values(salesStages)]
    let moves: string[] = [talks]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(7), { minLength: 1, maxLength: 6 }), async (places) => {
        for (const place of places) {
          const nextStage = stages()[place] ?? talks
          await move(deal, nextStage)
          if (moves.at(-1) !== nextStage) moves = [...moves, nextStage]
        }
        expect(await historyOf(deal)).toEqual(
          moves.map((to, index) => ({ from_stage_id: moves[index - 1] ?? null, to_stage_id: to })),
        )
      }),
      { numRuns: 8 },
    )
  })

  it('a deal records since when it has been in its stage, why it was lost, and its closing day, which a person may set', async () => {
    const deal = await addDeal(talks)
    const readDeal = async () =>
      (await bo('select stage_since, closed_at, lost_reason from deals where brand_id = $1 and id = $2', deal)).rows[0]
    const stageSince = (await readDeal())?.stage_since as Date
    await bo(`update deals set name = 'Other' where brand_id = $1 and id = $2`, deal)
    expect((await readDeal())?.stage_since).toEqual(stageSince)
    await bo(
      `update deals set stage_id = $3, lost_reason = ' Price ' where brand_id = $1 and id = $2`,
      deal,
      salesStages.Lost,
    )
    const lost = await readDeal()
    expect(Number(lost?.stage_since)).toBeGreaterThan(Number(stageSince))
    expect(lost).toMatchObject({ lost_reason: 'Price', closed_at: expect.any(Date) })
    await bo(`update deals set closed_at = '2026-05-04' where brand_id = $1 and id = $2`, deal)
    expect((await readDeal())?.closed_at).toEqual(new Date('2026-05-04'))
    await bo('delete from deals where brand_id = $1 and id = $2', deal)
    await bo(`select restore_records($1, 'deals', array[$2::uuid])`, deal)
    expect((await readDeal())?.stage_since).toEqual(lost?.stage_since)
    await move(deal, talks)
    expect(await readDeal()).toMatchObject({ closed_at: null, lost_reason: 'Price' })
    expect(
      await refusalOf(bo(`update deals set lost_reason = repeat('x', 201) where brand_id = $1 and id = $2`, deal)),
    ).toMatch(/^23514/)
    expect(await refusalOf(bo(`update deals set stage_since = now() where brand_id = $1 and id = $2`, deal))).toMatch(
      /^42501/,
    )
  })

  describe('a deal that comes into a stage while the stage becomes won', () => {
    const setKind = `update deal_stages set kind = 'won' where brand_id = $1 and id = $2`
    /** Returns a new open stage, and the statements by which a deal comes into it, by name. */
    const openStage = async () => {
      const [stage, added] = [await addStage('Race'), randomUUID()]
      const movedDeal = await addDeal(String(salesStages.Incoming))
      const write = {
        'an added deal': [added, `insert into deals (brand_id, stage_id, id, name) values ($1, $2, $3, 'Added')`],
        'a moved deal': [movedDeal, 'update deals set stage_id = $2 where brand_id = $1 and id = $3'],
      } as const
      return { stage, write }
    }
    const isClosed = async (deal: string) => {
      const { rows } = await bo('select closed_at from deals where brand_id = $1 and id = $2', deal)
      return rows[0]?.closed_at instanceof Date
    }
    /** Runs a statement and keeps its transaction open, until a second one waits for it or has ended. */
    const runBoth = async (
      [person, text, values]: readonly [Person, string, readonly unknown[]],
      second: () => Promise<unknown>,
    ) => {
      const client = await scene.owner.connect()
      try {
        await client.query('begin')
        await scene.become(client, person)
        await client.query(text, [...values])
        const running = second()
        await Promise.race([running, untilLockWait(scene.owner)])
        await client.query('commit')
        await running
      } finally {
        client.release(true)
      }
    }

    it.each(['an added deal', 'a moved deal'] as const)(
      '%s is closed if it is written before the stage',
      async (name) => {
        const { stage, write } = await openStage()
        const [deal, text] = write[name]
        await runBoth(['bo', text, [scene.acme, stage, deal]], () => cy(setKind, stage))
        expect(await isClosed(deal)).toBe(true)
      },
    )

    it.each(['an added deal', 'a moved deal'] as const)(
      '%s is closed if it is written after the stage',
      async (name) => {
        const { stage, write } = await openStage()
        const [deal, text] = write[name]
        await runBoth(['cy', setKind, [scene.acme, stage]], () => bo(text, stage, deal))
        expect(await isClosed(deal)).toBe(true)
      },
    )

    it('a deal gets another closing day while its stage becomes won, without a deadlock', async () => {
      const { stage, write } = await openStage()
      const [deal] = write['a moved deal']
      await move(deal, stage)
      const setDay = `update deals set closed_at = '2026-02-03' where brand_id = $1 and id = $2`
      await runBoth(['bo', setDay, [scene.acme, deal]], () => cy(setKind, stage))
      expect(await isClosed(deal)).toBe(true)
    })
  })
})
