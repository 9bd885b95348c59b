import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
let stages: Record<string, string>
beforeAll(async () => {
  scene = await openScene()
  const { rows } = await scene.as('bo')<{ id: string; name: string }>('select id, name from deal_stages')
  stages = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
})
afterAll(() => scene.drop())

const bo = (text: string, ...values: unknown[]) => scene.as('bo')(text, [scene.acme, ...values])
const insertDeal = (values: Record<string, unknown>) => {
  const allValues = { name: 'Deal', stage_id: stages.Incoming, ...values }
  const columns = Object.keys(allValues)
  return bo(
    `insert into deals (brand_id, ${columns.join(', ')}) values ($1, ${columns.map((_, n) => `$${n + 2}`).join(', ')}) returning *`,
    ...Object.values(allValues),
  )
}

describe('a deal', () => {
  it('a deal starts with amount 0 in pounds', async () => {
    const id = randomUUID()
    await bo(`select quick_create_deal($1, ' New Deal - Proposal ', $2, $3)`, stages.Proposal, id)
    expect(
      (
        await bo(
          'select name, amount::float, amount_currency, stage_id, created_by, version from deals where brand_id = $1 and id = $2',
          id,
        )
      ).rows,
    ).toEqual([
      {
        name: 'New Deal - Proposal',
        amount: 0,
        amount_currency: 'GBP',
        stage_id: stages.Proposal,
        created_by: scene.ids.bo,
        version: 1,
      },
    ])
    expect(await refusalOf(bo(`select quick_create_deal($1, '  ', $2)`, stages.Proposal))).toBe(
      '22023 Deal name is required',
    )
  })

  it.each([
    [{ amount: -0.01 }],
    [{ amount: 'NaN' }],
    [{ amount: 'Infinity' }],
    [{ amount: '10.005' }],
    [{ amount: '10.5', amount_currency: 'JPY' }],
    [{ amount: 1e13 }],
    [{ amount_currency: 'gbp' }],
    [{ amount_currency: '' }],
    [{ expected_close_date: 'infinity' }],
    [{ expected_close_date: '0044-03-15 BC' }],
    [{ name: ' \u00A0 ' }],
    [{ name: 'x'.repeat(201) }],
  ])('a deal refuses the values %j', async (values) => {
    expect(await refusalOf(insertDeal(values))).toMatch(/^23514 /)
  })

  it.each([
    [{ amount: '10.50' }],
    [{ amount: '1000.00', amount_currency: 'JPY' }],
    [{ amount: '9999999999999.99' }],
    [{ expected_close_date: '2026-02-28' }],
  ])('a deal accepts the values %j', async (values) => {
    expect((await insertDeal(values)).rowCount).toBe(1)
  })

  it('a deal is closed while its stage is won or lost, and records its stage changes', async () => {
    const id = randomUUID()
    await insertDeal({ id })
    const move = (stage: string) =>
      bo(
        'update deals set stage_id = $3 where brand_id = $1 and id = $2 returning closed_at is not null as closed',
        id,
        stages[stage],
      )
    expect((await move('Won')).rows).toEqual([{ closed: true }])
    expect((await move('Lost')).rows).toEqual([{ closed: true }])
    expect((await move('Proposal')).rows).toEqual([{ closed: false }])
    await move('Proposal')
    const { rows } = await bo(
      'select from_stage_id, to_stage_id, changed_by from deal_stage_changes where brand_id = $1 and deal_id = $2 order by id',
      id,
    )
    expect(rows).toEqual(
      [
        [null, 'Incoming'],
        ['Incoming', 'Won'],
        ['Won', 'Lost'],
        ['Lost', 'Proposal'],
      ].map(([from, to]) => ({
        from_stage_id: from ? stages[from] : null,
        to_stage_id: stages[to as string],
        changed_by: scene.ids.bo,
      })),
    )
  })

  it('the history of a deal records who changed its amount and currency, and nothing else', async () => {
    const id = randomUUID()
    await insertDeal({ id, amount: '12000' })
    const update = (assignment: string) => bo(`update deals set ${assignment} where brand_id = $1 and id = $2`, id)
    await update('amount = 15000')
    await update(`amount_currency = 'EUR'`)
    await update(`amount = 15000, amount_currency = 'EUR', name = 'Same amount'`)
    const readHistory = `select from_amount::float8, from_currency, to_amount::float8, to_currency, changed_by
      from amount_changes where brand_id = $1 and deal_id = $2 order by id`
    const changed_by = scene.ids.bo
    const expectedHistory = [
      { from_amount: 12_000, from_currency: 'GBP', to_amount: 15_000, to_currency: 'GBP', changed_by },
      { from_amount: 15_000, from_currency: 'GBP', to_amount: 15_000, to_currency: 'EUR', changed_by },
    ]
    expect((await bo(readHistory, id)).rows).toEqual(expectedHistory)
    // A restored deal has its history again, and the restore itself adds no entry.
    await bo('delete from deals where brand_id = $1 and id = $2', id)
    await bo(`select restore_records($1, 'deals', array[$2::uuid])`, id)
    expect((await bo(readHistory, id)).rows).toEqual(expectedHistory)
    const outsider = await scene.as('eve')('select from amount_changes where brand_id = $1 and deal_id = $2', [
      scene.acme,
      id,
    ])
    expect(outsider.rowCount).toBe(0)
  })

  it('a deal is closed when its stage changes its kind to won', async () => {
    const [stage, id] = [randomUUID(), randomUUID()]
    await scene.as('cy')(`insert into deal_stages (brand_id, id, name) values ($1, $2, 'Signed')`, [scene.acme, stage])
    await insertDeal({ id, stage_id: stage })
    await scene.as('cy')(`update deal_stages set kind = 'won' where brand_id = $1 and id = $2`, [scene.acme, stage])
    expect(
      (await bo('select closed_at is not null as closed from deals where brand_id = $1 and id = $2', id)).rows,
    ).toEqual([{ closed: true }])
  })

  it('a deal prevents its stage from being deleted', async () => {
    await insertDeal({ stage_id: stages.Qualified })
    expect(
      await refusalOf(
        scene.as('cy')('delete from deal_stages where brand_id = $1 and id = $2', [scene.acme, stages.Qualified]),
      ),
    ).toMatch(/^23503 /)
  })
})

describe('a stage', () => {
  it.each([
    ['Closed Won', 'won'],
    ['lost for ever', 'lost'],
    ['Wonder', 'open'],
  ])('a stage with the name %s is of kind %s and is added last', async (name, kind) => {
    const { rows } = await scene.as('cy')(
      'insert into deal_stages (brand_id, name) values ($1, $2) returning kind, position',
      [scene.acme, name],
    )
    expect(rows).toMatchObject([{ kind }])
    expect(Number(rows[0]?.position)).toBeGreaterThan(6)
  })
})

describe('a task', () => {
  it('a task is open with normal priority, and records when it is completed', async () => {
    const id = randomUUID()
    expect(
      (
        await bo(
          `insert into tasks (brand_id, id, title) values ($1, $2, ' Call ') returning title, status, priority, completed_at`,
          id,
        )
      ).rows,
    ).toEqual([{ title: 'Call', status: 'open', priority: 'normal', completed_at: null }])
    const setStatus = (status: string) =>
      bo('update tasks set status = $3 where brand_id = $1 and id = $2 returning completed_at', id, status)
    expect((await setStatus('done')).rows[0]?.completed_at).toBeInstanceOf(Date)
    expect((await setStatus('open')).rows[0]?.completed_at).toBeNull()
    expect(await refusalOf(setStatus('later'))).toMatch(/^23514 /)
    expect(await refusalOf(bo(`insert into tasks (brand_id, title, due_at) values ($1, 'x', 'infinity')`))).toMatch(
      /^23514 /,
    )
    expect(await refusalOf(bo(`insert into tasks (brand_id, title, priority) values ($1, 'x', 'huge')`))).toMatch(
      /^23514 /,
    )
  })
})

describe('every record', () => {
  it('every record gets its timestamps, rev and version from the database only', async () => {
    const id = randomUUID()
    await bo(`insert into companies (brand_id, id, name) values ($1, $2, 'Big')`, id)
    for (const column of ['rev', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'])
      expect(
        await refusalOf(bo(`update companies set ${column} = ${column} where brand_id = $1 and id = $2`, id)),
      ).toMatch(/^42501 /)
    expect(await refusalOf(bo(`insert into companies (brand_id, name, rev) values ($1, 'x', 1)`))).toMatch(/^42501 /)
    await scene.as('cy')(`update companies set notes = 'n' where brand_id = $1 and id = $2`, [scene.acme, id])
    const { rows } = await bo(
      'select version, created_by, updated_by, updated_at > created_at as later from companies where brand_id = $1 and id = $2',
      id,
    )
    expect(rows).toEqual([{ version: 2, created_by: scene.ids.bo, updated_by: scene.ids.cy, later: true }])
  })
})
