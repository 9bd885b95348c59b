import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
/** The second pipeline of Acme, and its stages. */
let [pipeline, from, other, lost] = ['', '', '', '']

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  ;[pipeline, from, other, lost] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await scene.owner.query('delete from deals where brand_id = $1', [scene.acme])
  await runAs('cy')(
    `insert into pipelines (brand_id, id, name) values ($1, $2::uuid, 'P' || left($2::text, 8))`,
    pipeline,
  )
  await runAs('cy')(
    `insert into deal_stages (brand_id, id, pipeline_id, name, kind)
     values ($1, $2, $5, 'From', 'open'), ($1, $3, $5, 'Other', 'open'), ($1, $4, $5, 'Gone', 'lost')`,
    from,
    other,
    lost,
    pipeline,
  )
})

const piece = 2000
const runAs =
  (person: Person) =>
  <Row extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
    scene.as(person)<Row>(text, [scene.acme, ...values])
const cy = runAs('cy')
const answerOf = async (person: Person, call: string, ...values: unknown[]) =>
  (await runAs(person)<{ answer: object }>(`select ${call} as answer`, ...values)).rows[0]?.answer

/** Adds deals to a stage, as the database's owner, so that it is fast. */
const addDeals = (count: number, stage: string) =>
  scene.owner.query(
    `insert into deals (brand_id, name, amount, stage_id, created_at)
     select $1, 'Deal ' || n, n, $2, now() - n * interval '1 minute' from generate_series(1, $3::integer) n`,
    [scene.acme, stage, count],
  )
const clear = (person: Person, stage = from, to: string | null = other) =>
  answerOf(person, 'clear_deal_stage($1, $2, $3)', stage, to)
const clearPipeline = (person: Person, id: string, to: string | null) =>
  answerOf(person, 'clear_pipeline($1, $2, $3)', id, to)
const deleteStage = (to: string | null = other) => answerOf('cy', 'delete_deal_stage($1, $2, $3)', from, to)
const applyKind = (person: Person, kind: string, stage = from) =>
  answerOf(person, 'apply_stage_kind($1, $2, $3)', stage, kind)
const setKind = (kind: string) => cy('update deal_stages set kind = $3 where brand_id = $1 and id = $2', from, kind)
const restore = () => answerOf('cy', `restore_moved($1, 'deal_stages', array[$2]::uuid[])`, from)
const readCount = async (where: string, ...values: unknown[]) =>
  (
    await scene.owner.query<{ n: number }>(
      `select count(*)::integer as n from deals where brand_id = $1 and ${where}`,
      [scene.acme, ...values],
    )
  ).rows[0]?.n
const dealsIn = (stage: string) => readCount('stage_id = $2', stage)
const closedIn = (stage: string) => readCount('stage_id = $2 and closed_at is not null', stage)
const wrongFigures = async () => (await scene.owner.query('select * from private.wrong_figures()')).rows

it('the deals of a large stage are moved in pieces, the newest first, each with one line of history; the figures stay right', async () => {
  await addDeals(piece + 3, from)
  expect(await clear('cy')).toEqual({ done: false, count: piece })
  expect([await dealsIn(from), await dealsIn(other)]).toEqual([3, piece])
  expect(await readCount(`stage_id = $2 and name = 'Deal ' || amount and amount > $3`, from, piece)).toBe(3)
  expect(await clear('cy')).toEqual({ done: true, count: 3 })
  expect(await clear('cy')).toEqual({ done: true, count: 0 })
  expect(await deleteStage()).toBe(0)
  const { rows } = await scene.owner.query(
    `select count(*)::integer as n, count(distinct deal_id)::integer as deals from deal_stage_changes
     where brand_id = $1 and from_stage_id = $2 and to_stage_id = $3 and changed_by = $4`,
    [scene.acme, from, other, scene.ids.cy],
  )
  expect(rows).toEqual([{ n: piece + 3, deals: piece + 3 }])
  expect(await wrongFigures()).toEqual([])
  expect(await refusalOf(restore())).toBe('22023 More than 2000 records were moved: this cannot be undone.')
})

it('the undo of a delete brings back the deals that its pieces have moved, with their dates, but no deal that an earlier delete moved', async () => {
  await addDeals(2, from)
  await deleteStage()
  await answerOf('cy', `restore_records($1, 'deal_stages', array[$2]::uuid[])`, from)
  await scene.owner.query(`update deals set name = 'Earlier' where brand_id = $1`, [scene.acme])
  await addDeals(5, from)
  await scene.owner.query(`update deals set stage_since = '2026-03-04' where stage_id = $1`, [from])
  expect(await clear('cy')).toEqual({ done: true, count: 5 })
  // A colleague moves one deal back and adds another one before the delete.
  await runAs('bo')(`update deals set stage_id = $2 where brand_id = $1 and name = 'Deal 4'`, from)
  await addDeals(1, from)
  expect(await deleteStage()).toBe(2)
  expect(await restore()).toBe(6)
  expect([await dealsIn(from), await readCount(`name = 'Earlier' and stage_id = $2`, other)]).toEqual([6, 2])
  expect(await readCount(`stage_id = $2 and stage_since = '2026-03-04'`, from)).toBe(4)
  expect(await wrongFigures()).toEqual([])
})

it('deals of a lost stage have no closing day after a piece has moved them to an open stage', async () => {
  await addDeals(2, lost)
  expect(await closedIn(lost)).toBe(2)
  expect(await clear('cy', lost)).toEqual({ done: true, count: 2 })
  expect([await dealsIn(other), await closedIn(other)]).toEqual([2, 0])
})

it('the deals of all stages of a large pipeline are moved in pieces', async () => {
  const { rows } = await cy<{ id: string }>(
    `insert into deal_stages (brand_id, pipeline_id, name)
     select $1, id, 'Target' from pipelines where brand_id = $1 and id <> $2 limit 1 returning id`,
    pipeline,
  )
  const target = rows[0]?.id ?? ''
  await addDeals(piece, from)
  await addDeals(4, lost)
  expect(await clearPipeline('cy', pipeline, target)).toEqual({ done: false, count: piece })
  expect(await clearPipeline('cy', pipeline, target)).toEqual({ done: true, count: 4 })
  expect([await dealsIn(target), await closedIn(target)]).toEqual([piece + 4, 0])
  expect(await answerOf('cy', 'delete_pipeline($1, $2)', pipeline)).toBe(0)
  expect(await wrongFigures()).toEqual([])
  expect((await cy('select from pipelines where brand_id = $1 and id = $2', pipeline)).rowCount).toBe(0)
})

it('the kind of a large stage is applied to its deals in pieces, and the stage gets it last, with the rest of the deals', async () => {
  await addDeals(piece + 3, from)
  expect(await applyKind('cy', 'won')).toEqual({ done: false, count: piece })
  expect(await closedIn(from)).toBe(piece)
  expect(await applyKind('cy', 'won')).toEqual({ done: true, count: 3 })
  expect(await applyKind('cy', 'won')).toEqual({ done: true, count: 0 })
  // A colleague's new deal, while the stage is still open.
  await runAs('bo')(`insert into deals (brand_id, name, stage_id) values ($1, 'New', $2)`, from)
  expect(await closedIn(from)).toBe(piece + 3)
  await setKind('won')
  expect(await closedIn(from)).toBe(piece + 4)
  // Each deal was written once.
  expect(await readCount('version > 2')).toBe(0)
  expect(await applyKind('cy', 'open')).toEqual({ done: false, count: piece })
  expect(await closedIn(from)).toBe(4)
  await setKind('open')
  expect(await closedIn(from)).toBe(0)
  expect(await wrongFigures()).toEqual([])
})

it('a stage that changes from won to lost keeps the days of its deals', async () => {
  await addDeals(2, lost)
  await scene.owner.query(`update deals set closed_at = '2026-03-04' where stage_id = $1`, [lost])
  expect(await applyKind('cy', 'won', lost)).toEqual({ done: true, count: 0 })
  expect(await readCount(`closed_at = '2026-03-04'`)).toBe(2)
})

it('a deal that leaves an open stage to which a kind was applied in part leaves it as an open deal', async () => {
  await addDeals(3, from)
  await applyKind('cy', 'won')
  await scene.owner.query(
    `select set_config('private.next_kind', 'won', false);
     update deals set closed_at = '2026-03-04' where stage_id = '${from}';
     select set_config('private.next_kind', '', false)`,
  )
  const move = (name: string, values: string) =>
    runAs('bo')(`update deals set ${values} where brand_id = $1 and name = $2`, name)
  await move('Deal 1', `stage_id = '${lost}'`)
  await move('Deal 2', `stage_id = '${lost}', closed_at = '2026-05-06'`)
  await move('Deal 3', `stage_id = '${other}'`)
  const { rows } = await scene.owner.query(
    `select name, closed_at > now() - interval '1 hour' as now, closed_at = '2026-05-06' as chosen
     from deals where brand_id = $1 order by name`,
    [scene.acme],
  )
  expect(rows).toEqual([
    { name: 'Deal 1', now: true, chosen: false },
    { name: 'Deal 2', now: false, chosen: true },
    { name: 'Deal 3', now: null, chosen: null },
  ])
  // Between closed stages, the day stays.
  await setKind('won')
  await move('Deal 2', `stage_id = '${from}'`)
  expect(await readCount(`closed_at = '2026-05-06'`)).toBe(1)
})

it('a piece of a delete, or of a change of kind, is refused to everybody except admins and owners, and changes nothing', async () => {
  await addDeals(3, from)
  for (const person of ['bo', 'kim', 'eve', 'gus', 'dee', 'nobody'] as const) {
    const refusal = /^(P0001 NOT_AUTHORIZED|42501)/
    expect(await refusalOf(clear(person))).toMatch(refusal)
    expect(await refusalOf(clearPipeline(person, pipeline, other))).toMatch(refusal)
    expect(await refusalOf(applyKind(person, 'won'))).toMatch(refusal)
  }
  expect(await refusalOf(clear('bo'))).toBe('P0001 NOT_AUTHORIZED')
  expect([await dealsIn(from), await closedIn(from)]).toEqual([3, 0])
})

it('a piece is refused for the same reasons as the whole change, and moves nothing', async () => {
  await addDeals(3, from)
  const expectSameRefusal = async (pieceCall: Promise<unknown>, change: Promise<unknown>, reason: RegExp) => {
    const [refusal, refusalOfChange] = await Promise.all([refusalOf(pieceCall), refusalOf(change)])
    expect(refusal).toMatch(reason)
    expect(refusalOfChange).toBe(refusal)
  }
  const otherBrandStage = (
    await scene.owner.query('select id from deal_stages where brand_id = $1 limit 1', [scene.umbra])
  ).rows[0]?.id
  await expectSameRefusal(clear('cy', from, null), deleteStage(null), /^22023 Deals are here/)
  for (const target of [from, randomUUID(), otherBrandStage])
    await expectSameRefusal(clear('cy', from, target), deleteStage(target), /^22023 The deals cannot go to that stage/)
  await expectSameRefusal(
    clear('cy', otherBrandStage),
    answerOf('cy', 'delete_deal_stage($1, $2, $3)', otherBrandStage, other),
    /^22023 This stage is not here/,
  )
  await expectSameRefusal(
    clearPipeline('cy', pipeline, other),
    answerOf('cy', 'delete_pipeline($1, $2, $3)', pipeline, other),
    /^22023 The deals cannot go to that stage/,
  )
  await expectSameRefusal(
    clearPipeline('cy', randomUUID(), other),
    answerOf('cy', 'delete_pipeline($1, $2, $3)', randomUUID(), other),
    /^22023 This pipeline is not here/,
  )
  await cy(`update deal_stages set kind = 'lost' where brand_id = $1 and id = $2`, other)
  await expectSameRefusal(clear('cy'), deleteStage(), /^22023 The last open stage/)
  expect(await refusalOf(applyKind('cy', 'closed'))).toMatch(/^22023/)
  expect(await refusalOf(applyKind('cy', 'won', otherBrandStage))).toMatch(/^22023 This stage is not here/)
  expect([await dealsIn(from), await closedIn(from)]).toEqual([3, 0])
  const onlyPipeline = (await scene.as('eve')('select id from pipelines where brand_id = $1', [scene.umbra])).rows[0]
    ?.id
  expect(await refusalOf(scene.as('eve')('select clear_pipeline($1, $2)', [scene.umbra, onlyPipeline]))).toMatch(
    /^22023 The last pipeline stays/,
  )
})

describe('the closing days of a stage that is won, then open by mistake, then won again', () => {
  const [march, now] = [new Date('2026-03-04'), expect.any(Date)]
  const dayOf = async (name: string) =>
    (await cy<{ closed_at: Date | null }>('select closed_at from deals where brand_id = $1 and name = $2', name))
      .rows[0]?.closed_at
  const setDay = (day: Date) =>
    cy('update deals set closed_at = $3 where brand_id = $1 and stage_id = $2', from, day.toISOString())
  const moveDeal = (name: string, stage: string) =>
    cy('update deals set stage_id = $3 where brand_id = $1 and name = $2', name, stage)
  beforeEach(async () => {
    await addDeals(2, from)
    await setKind('won')
    await setDay(march)
  })

  it('come back, also if the deals are changed in pieces', async () => {
    await setKind('open')
    expect(await dayOf('Deal 1')).toBeNull()
    await setKind('won')
    expect([await dayOf('Deal 1'), await dayOf('Deal 2')]).toEqual([march, march])
    await applyKind('cy', 'open')
    await setKind('open')
    expect(await dayOf('Deal 1')).toBeNull()
    await applyKind('cy', 'won')
    await setKind('won')
    expect([await dayOf('Deal 1'), await dayOf('Deal 2')]).toEqual([march, march])
  })

  it('come back only for deals that have stayed in the stage', async () => {
    await setKind('open')
    await moveDeal('Deal 1', other)
    await moveDeal('Deal 1', from)
    await setKind('won')
    expect(await dayOf('Deal 1')).not.toEqual(march)
    expect([await dayOf('Deal 1'), await dayOf('Deal 2')]).toEqual([now, march])
  })

  it('are kept for a day', async () => {
    await setKind('open')
    await scene.owner.query(`update private.former_closing_days set kept_at = now() - interval '25 hours'`)
    await setKind('won')
    expect(await dayOf('Deal 1')).not.toEqual(march)
    expect((await scene.owner.query('select from private.former_closing_days')).rowCount).toBe(0)
  })

  it('may then be set by a person', async () => {
    await setKind('open')
    await setKind('won')
    const may = new Date('2026-05-06')
    await setDay(may)
    expect(await dayOf('Deal 1')).toEqual(may)
  })
})
