import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.as('service')(
    `with company as (insert into companies (brand_id, name) values ($1, 'Slate') returning id),
     contact as (insert into contacts (brand_id, first_name, email, company_id) select $1, 'Owen', 'owen@x.y', id from company returning id, company_id)
     insert into deals (brand_id, name, stage_id, contact_id, company_id)
     select $1, 'Roof', (select id from deal_stages where brand_id = $1 limit 1), id, company_id from contact`,
    [scene.acme],
  )
})
afterAll(() => scene.drop())

/** Returns the numbers of contacts and deals of Acme that a search finds. */
async function countFound(search: string): Promise<{ contacts: number; deals: number }> {
  const queries = ['contacts', 'deals'].map((table) => ({ table, search, rows: false, count: true }))
  const { rows } = await scene.as('bo')<{ answers: { total: number }[] }>(
    `select read_queries($1, $2) -> 'answers' as answers`,
    [scene.acme, JSON.stringify(queries)],
  )
  const [contacts, deals] = rows[0]?.answers ?? []
  return { contacts: contacts?.total ?? -1, deals: deals?.total ?? -1 }
}

it('a search finds contacts and deals by the new name of a company or contact, and not by the old name', async () => {
  expect(await countFound('slate')).toEqual({ contacts: 1, deals: 1 })
  await scene.as('bo')(`update companies set name = 'Kestrel' where name = 'Slate'`)
  await scene.as('bo')(`update contacts set first_name = 'Ívar' where email = 'owen@x.y'`)
  expect(await countFound('slate')).toEqual({ contacts: 0, deals: 0 })
  expect(await countFound('kestrel ivar')).toEqual({ contacts: 1, deals: 1 })
  expect(await countFound('owen')).toEqual({ contacts: 1, deals: 0 })
})

it('a search by the name of a deleted company finds nothing', async () => {
  await scene.as('service')(
    `with company as (insert into companies (brand_id, name) values ($1, 'Basalt') returning id)
     insert into contacts (brand_id, first_name, company_id) select $1, 'Una', id from company`,
    [scene.acme],
  )
  expect(await countFound('basalt una')).toEqual({ contacts: 1, deals: 0 })
  await scene.as('service')(`delete from companies where name = 'Basalt'`)
  expect(await countFound('basalt')).toEqual({ contacts: 0, deals: 0 })
  expect(await countFound('una')).toEqual({ contacts: 1, deals: 0 })
})

it('a contact that is added while its company is renamed is found by the new name', async () => {
  await scene.as('service')(`insert into companies (brand_id, name) values ($1, 'Onyx')`, [scene.acme])
  const addingClient = await scene.owner.connect()
  const renamingClient = await scene.owner.connect()
  try {
    await addingClient.query('begin')
    await addingClient.query(
      `insert into contacts (brand_id, first_name, company_id) select $1, 'Rhea', id from companies where name = 'Onyx'`,
      [scene.acme],
    )
    const renameDone = renamingClient.query(`update companies set name = 'Garnet' where name = 'Onyx'`)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await addingClient.query('commit')
    await renameDone
  } finally {
    addingClient.release()
    renamingClient.release()
  }
  expect(await countFound('garnet rhea')).toEqual({ contacts: 1, deals: 0 })
  expect(await countFound('onyx')).toEqual({ contacts: 0, deals: 0 })
})

it('in a search %, _ and a backslash match literally, and only the first eight words count', async () => {
  for (const search of ['%', '_', '\\\\', "'", '{', '"', ','])
    expect(await countFound(`owen${search}`), search).toEqual({ contacts: 0, deals: 0 })
  expect(await countFound('owen '.repeat(8))).toEqual({ contacts: 1, deals: 0 })
  expect(await countFound(`${'owen '.repeat(8)} nobody`)).toEqual({ contacts: 1, deals: 0 })
  expect(await countFound(`${'owen '.repeat(7)} nobody`)).toEqual({ contacts: 0, deals: 0 })
  expect(await countFound(' '.repeat(20))).toEqual(await countFound(''))
})
