import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene
/** Two stages of the brand Acme. */
let stages: string[]

beforeAll(async () => {
  scene = await openScene()
  const { rows } = await scene.as('bo')<{ id: string }>(
    'select id from deal_stages where brand_id = $1 order by position limit 2',
    [scene.acme],
  )
  stages = rows.map(({ id }) => id)
  // With these values the brand counts as large, and the server first examines the newest 12 deals of each stage.
  for (const [name, value] of Object.entries({ first_look: 8, few_hits: 4 }))
    await scene.owner.query(
      `create or replace function private.${name}() returns integer language sql immutable as 'select ${value}'`,
    )
})
afterAll(() => scene.drop())

/** Adds deals of an owner, or of nobody, to both stages. They are newer than all deals added before. */
const addDeals = (count: number, owner: string | null) =>
  scene.owner.query(
    `insert into public.deals (brand_id, stage_id, name, owner_id, created_at)
     select $1, s.id, 'Deal', $3, coalesce((select max(created_at) from public.deals), now()) + n * interval '1 second'
     from unnest($2::uuid[]) s (id), generate_series(1, $4::int) n`,
    [scene.acme, stages, owner, count],
  )

const cardsAndTotals = async (where: object) => {
  const queries = stages.map((stage_id) => ({ table: 'deals', where: { ...where, stage_id }, limit: 5, sums: true }))
  const { rows } = await scene.as('bo')<{ answers: { rows: object[]; total: number }[] }>(
    `select read_queries($1, $2) -> 'answers' as answers`,
    [scene.acme, JSON.stringify(queries)],
  )
  return rows[0]?.answers.map(({ rows: cards, total }) => [cards.length, total])
}

it('the columns of one owner are full although most of the newest deals of their stages do not belong to this owner', async () => {
  const bo = scene.ids.bo
  await addDeals(4, bo)
  await addDeals(20, null)
  await addDeals(2, bo)
  expect(await cardsAndTotals({ owner_id: bo })).toEqual([
    [5, 6],
    [5, 6],
  ])
  expect(await cardsAndTotals({ owner_id: null })).toEqual([
    [5, 20],
    [5, 20],
  ])
})
