import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.as('service')(
    `insert into companies (brand_id, name, domain, website)
     values ($1, 'Ångström AB', 'angstrom.se', null), ($1, '100% Juice', null, 'https://juice_bar.example')`,
    [scene.acme],
  )
  await scene.as('service')(
    `insert into contacts (brand_id, first_name, last_name, email, company_id, created_at)
     select $1, n.first, n.last, n.email, (select id from companies where name = n.company), now() - n.age * interval '1 day'
     from (values ('Zoë', 'Müller', 'zoe@x.y', 'Ångström AB', 1), ('Al', 'O''Neil', 'al@x.y', null, 2), (null, null, 'b_c@x.y', '100% Juice', 9)) n (first, last, email, company, age)`,
    [scene.acme],
  )
  await scene.as('service')(
    `insert into deals (brand_id, name, amount, amount_currency, stage_id, contact_id, company_id, expected_close_date, created_at)
     select $1, 'Deal ' || n, n * 10, case when n % 5 = 0 then 'EUR' else 'GBP' end,
       (select id from deal_stages where brand_id = $1 and position = 1 + n % 6),
       case when n % 7 = 0 then (select id from contacts where first_name = 'Zoë') end,
       case when n % 11 = 0 then (select id from companies where domain is not null) end,
       case when n % 2 = 0 then (now() at time zone 'Pacific/Auckland')::date else '2001-01-01'::date end, now() - n * interval '1 minute'
     from generate_series(1, 60) n`,
    [scene.acme],
  )
  await scene.as('service')(
    `insert into tasks (brand_id, title, status, due_at)
     values ($1, 'late', 'open', now() - interval '1 hour'), ($1, 'soon', 'open', now() + interval '6 days'),
       ($1, 'far', 'open', now() + interval '8 days'), ($1, 'any', 'open', null), ($1, 'done', 'done', now() + interval '1 day'),
       ($1, 'now', 'open', now() + interval '30 seconds')`,
    [scene.acme],
  )
  await scene.as('eve')(
    `insert into contacts (brand_id, first_name, email) values ($1, 'Zoë of Umbra', 'zoe@umbra.com')`,
    [scene.umbra],
  )
})
afterAll(() => scene.drop())

const answerTo = async <Answer>(text: string, ...values: unknown[]) =>
  (await scene.as('bo')<{ answer: Answer }>(`select ${text} as answer`, [scene.acme, ...values])).rows[0]
    ?.answer as Answer

interface Found {
  total: number
  rows: { id: string; email?: string; name?: string; contact_id?: string | null; email_norm?: string }[]
  contacts?: { id: string }[]
  companies?: { id: string; name: string }[]
}

describe('search', () => {
  const searchContacts = async (query: string, limit = 50, offset = 0) =>
    answerTo<Found>('search_contacts($1, $2, $3, $4)', query, limit, offset)

  it.each([
    ['zoë', ['zoe@x.y']],
    ['ZOË MÜL', ['zoe@x.y']],
    ['zoe\u0308', ['zoe@x.y']],
    ['l', ['zoe@x.y', 'al@x.y']],
    ['ÅNGSTR', ['zoe@x.y']],
    ['@x.', ['zoe@x.y', 'al@x.y', 'b_c@x.y']],
    ['%', ['b_c@x.y']],
    ['_', ['b_c@x.y']],
    ['b_c', ['b_c@x.y']],
    ['\\', []],
    ["o'n", ['al@x.y']],
    ['umbra', []],
    ['', ['zoe@x.y', 'al@x.y', 'b_c@x.y']],
  ])('a search finds contacts by %j', async (query, emails) => {
    const page = await searchContacts(query)
    expect(page.rows.map(({ email }) => email)).toEqual(emails)
    expect(page.total).toBe(emails.length)
    expect(page.rows[0] ?? {}).not.toHaveProperty('email_norm')
  })

  it('a search returns pages with the total, and with the companies of the rows', async () => {
    const firstPage = await searchContacts('x.y', 1, 0)
    expect(firstPage).toMatchObject({ total: 3, companies: [{ name: 'Ångström AB' }] })
    expect((await searchContacts('x.y', 5, 2)).rows.map(({ email }) => email)).toEqual(['b_c@x.y'])
    expect(await searchContacts('x.y', 5, 50)).toMatchObject({ total: 3, rows: [] })
  })

  it('a search finds companies by name, domain and website', async () => {
    for (const [query, name] of [
      ['ångström', 'Ångström AB'],
      ['.SE', 'Ångström AB'],
      ['juice_', '100% Juice'],
      ['0%', '100% Juice'],
    ])
      expect((await answerTo<Found>('search_companies($1, $2)', query)).rows.map((row) => row.name)).toEqual([name])
  })

  it('a search finds deals by name, contact and company', async () => {
    expect((await answerTo<Found>('search_deals($1, $2)', 'deal 59')).rows.map(({ name }) => name)).toEqual(['Deal 59'])
    const ofZoe = await answerTo<Found>('search_deals($1, $2)', 'müller')
    expect(ofZoe.total).toBe(8)
    expect(ofZoe.rows[0]?.name).toBe('Deal 7')
    expect(ofZoe.contacts).toMatchObject([{ first_name: 'Zoë' }])
    expect((await answerTo<Found>('search_deals($1, $2)', 'ångström')).total).toBe(5)
    // A search of deals does not search e-mail addresses of contacts, because the cards do not show them.
    expect((await answerTo<Found>('search_deals($1, $2)', 'zoe@')).total).toBe(0)
  })
})

describe('the board', () => {
  it('the board returns totals by stage and currency, and the newest cards of each stage with their contacts and companies', async () => {
    interface Board {
      totals: { stage_id: string; currency: string; count: number; amount: number }[]
      stages: { id: string; position: number }[]
      deals: { id: string; stage_id: string; name: string; contact_id: string | null; company_id: string | null }[]
      contacts: { id: string }[]
      companies: { id: string }[]
    }
    const board = await answerTo<Board>('board($1, 3)')
    expect(board.stages.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6])
    expect(board.totals.reduce((sum, { count }) => sum + count, 0)).toBe(60)
    expect(board.totals.reduce((sum, { amount }) => sum + amount, 0)).toBe(18_300)
    const { rows } = await scene.owner.query(
      `select stage_id, amount_currency as currency, count(*)::int as count, sum(amount)::float as amount from deals group by 1, 2`,
    )
    expect(new Set(board.totals.map((total) => JSON.stringify(total)))).toEqual(
      new Set(rows.map((row) => JSON.stringify(row))),
    )
    const [firstStage] = board.stages
    expect(board.deals.filter((deal) => deal.stage_id === firstStage?.id).map(({ name }) => name)).toEqual([
      'Deal 6',
      'Deal 12',
      'Deal 18',
    ])
    expect(board.deals.length).toBe(18)
    const linkedIds = new Set(
      board.deals.flatMap(({ contact_id, company_id }) => [contact_id, company_id]).filter(Boolean),
    )
    expect(new Set([...board.contacts, ...board.companies].map(({ id }) => id))).toEqual(linkedIds)
  })
})

describe('the overview', () => {
  it('the overview counts active deals, due tasks, and money by currency, pounds first', async () => {
    const figures = await answerTo('dashboard($1, $2)', 'Pacific/Auckland')
    expect(figures).toEqual({
      active_deals: 40,
      close_this_month: 20,
      pipeline: [
        { currency: 'GBP', amount: 9_000 },
        { currency: 'EUR', amount: 3_000 },
      ],
      contacts: 3,
      contacts_this_week: 2,
      companies: 2,
      companies_this_week: 2,
      open_tasks: 5,
      overdue: 1,
      due_this_week: 2,
      due_today: 1,
    })
  })

  it.each(['Nowhere/Atall', "UTC'; --", '', null])('the overview accepts the time zone %j', async (zone) => {
    expect(await answerTo('dashboard($1, $2)', zone)).toMatchObject({ open_tasks: 5 })
  })
})

it('company_figures returns contacts, deals and the open value by currency of the requested companies; more than 100 are refused', async () => {
  const figures = await answerTo<{ id: string; contacts: number; deals: number; open: object[] }[]>(
    `company_figures($1, array(select id from companies where $2::text is null or name = $2))`,
    'Ångström AB',
  )
  // Every eleventh deal belongs to the company.
  const { rows } = await scene.as('service')<{ currency: string; amount: number }>(
    `select d.amount_currency as currency, sum(d.amount)::float8 as amount from deals d join deal_stages s using (brand_id)
     where s.id = d.stage_id and s.kind = 'open' and d.company_id is not null group by 1 order by 1`,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(figures).toEqual([{ id: expect.any(String), contacts: 1, deals: 5, open: rows }])
  const callFor101Companies = `company_figures($1, array(select gen_random_uuid() from generate_series(1, 101)))`
  await expect(answerTo(callFor101Companies)).rejects.toMatchObject({ code: '22023' })
})
