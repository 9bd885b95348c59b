import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
let stage: string
beforeAll(async () => {
  scene = await openScene()
  stage = String((await scene.as('bo')('select id from deal_stages order by position limit 1')).rows[0]?.id)
})
afterAll(() => scene.drop())

const bo = (text: string, ...values: unknown[]) => scene.as('bo')(text, [scene.acme, ...values])
const hiddenCharacters = [
  '\u200b',
  '\u200d\u2060',
  '\u00ad \u202e',
  '\ufeff\u2066\u2069',
  '\u{e0041}',
  '\ufe0f',
  '\u3164',
  '\u115f',
]

describe('a name without visible characters', () => {
  it.each(hiddenCharacters)('a name without visible characters, such as %j, counts as empty', async (text) => {
    expect(await refusalOf(bo('insert into companies (brand_id, name) values ($1, $2)', text))).toMatch(/^23514/)
    expect(await refusalOf(bo('insert into tasks (brand_id, title) values ($1, $2)', text))).toMatch(/^23514/)
    expect(
      await refusalOf(bo('insert into deals (brand_id, name, stage_id) values ($1, $2, $3)', text, stage)),
    ).toMatch(/^23514/)
    expect(await refusalOf(bo('select quick_create_deal($1, $2, $3)', text, stage))).toBe('22023 Deal name is required')
    expect(await refusalOf(bo('select add_company($1, $2)', text))).toBe('22023 Company name is required')
    expect(await refusalOf(scene.as('gus')('insert into brands (name) values ($1)', [text]))).toMatch(/^23514/)
    const { rows } = await bo(
      `insert into contacts (brand_id, first_name, last_name, phone) values ($1, $2, $2, 'x') returning first_name, last_name`,
      text,
    )
    expect(rows).toEqual([{ first_name: null, last_name: null }])
  })

  it('a name that is null is reported with 23502', async () => {
    for (const [table, column] of [
      ['companies', 'name'],
      ['tasks', 'title'],
      ['deals', 'name'],
    ])
      expect(await refusalOf(bo(`insert into ${table} (brand_id, ${column}) values ($1, null)`))).toMatch(
        new RegExp(`^23502 null value in column "${column}"`),
      )
    expect(
      await refusalOf(scene.as('cy')('insert into deal_stages (brand_id, name) values ($1, null)', [scene.acme])),
    ).toMatch(/^23502/)
    expect(await refusalOf(scene.as('gus')('insert into brands (name) values (null)'))).toMatch(/^23502/)
  })
})

it('a company keeps invisible characters in its name', async () => {
  for (const text of ['Zero\u200bwidth', '\u202eReversed', 'soft\u00adhyphen', '❤️', '\u0085', 'a\u200d']) {
    const { rows } = await bo('insert into companies (brand_id, name) values ($1, $2) returning name', text)
    expect(rows).toEqual([{ name: text }])
  }
})

describe('brands', () => {
  it('brands with names that look the same are refused', async () => {
    for (const name of ['Ac\u200bme', 'ACM\u00adE', '\u2066Acme\u2069', 'A\u{e0041}cme'])
      expect(await refusalOf(scene.as('gus')('insert into brands (name) values ($1)', [name]))).toBe(
        '23505 duplicate key value violates unique constraint "brands_slug_key"',
      )
  })

  it('names of brands lose the characters that change the direction of text, and keep the marks of direction', async () => {
    await scene.as('gus')('insert into brands (name) values ($1)', ['\u202eemc\u202cA \u2067Nord\u2069'])
    const { rows } = await scene.as('gus')(`select id, name from brands where slug = 'emca-nord'`)
    expect(rows).toMatchObject([{ name: 'emcA Nord' }])
    const rename = 'update brands set name = $2 where id = $1 returning name'
    const renamedBrand = await scene.as('gus')(rename, [rows[0]?.id, 'שלום\u200e \u202dNord'])
    expect(renamedBrand.rows).toEqual([{ name: 'שלום\u200e Nord' }])
  })

  it('brands keep their slug when another column changes', async () => {
    await scene.owner.query(`alter table brands disable trigger tidy`)
    await scene.owner.query(`update brands set slug = 'um-bra', name = U&'Um\\200Bbra' where id = $1`, [scene.umbra])
    await scene.owner.query(`alter table brands enable trigger tidy`)
    await scene.owner.query('update brands set requires_second_factor = false where id = $1', [scene.umbra])
    const { rows } = await scene.owner.query('select slug from brands where id = $1', [scene.umbra])
    expect(rows).toEqual([{ slug: 'um-bra' }])
  })
})

describe('a display name', () => {
  const storedDisplayName = async (name: string) =>
    (
      await scene.as('bo')(
        'update memberships set display_name = $2 where brand_id = $1 and user_id = $3 returning display_name',
        [scene.acme, name, scene.ids.bo],
      )
    ).rows[0]?.display_name

  it.each([
    ['an\u200ba', 'ana'],
    ['\u202eana', 'ana'],
    ['ana\u200d', 'ana'],
    ['an\u200da', 'ana'],
    ['ana\ufe0f', 'ana'],
    ['a\u00ad\u2060\ufeffn\u{e0061}a', 'ana'],
    ['Аня\u200dа', 'Аняа'],
    ['\u200b', 'bo'],
  ])('a display name loses invisible characters: %j', async (name, expected) => {
    expect(await storedDisplayName(name)).toBe(expected)
  })

  it.each([
    ['a family', '👩‍👩‍👧‍👦'],
    ['a heart on fire', 'Ana ❤️‍🔥 Sun ☀️'],
    ['a keycap', 'Agent 7️⃣'],
    ['Persian', 'می‌خواهم'],
    ['Malayalam with old chillus', 'അവന്‍ വന്നു'],
    ['Sinhala', 'ශ්‍රී'],
    ['a flag', '🏳️‍🌈'],
    ['an ideograph with its variant', '葛\u{e0100}城'],
  ])('a display name keeps the invisible characters of %s', async (_what, name) => {
    expect(await storedDisplayName(name)).toBe(name)
  })
})

describe('a contact’s e-mail address', () => {
  const invisibleRefusal = 'The email has an invisible character in it. Type it again by hand.'

  it('a contact’s e-mail address with an invisible character is refused by upsert_contact and by the import', async () => {
    for (const hidden of ['\u200b', '\u202e', '\u00ad', '\u2060', '\u{e0061}'])
      expect(await refusalOf(bo('select upsert_contact($1, $2)', `zo${hidden}e@example.com`))).toBe(
        `22023 ${invisibleRefusal}`,
      )
    const { rows } = await bo(
      'select import_contacts($1, gen_random_uuid(), $2) as answer',
      JSON.stringify([
        { row: 2, email: 'zo\u200be@example.com' },
        { row: 3, email: 'zoe@example.com', first_name: '\u200b', company: '\u2060' },
      ]),
    )
    expect(rows[0]?.answer).toMatchObject([
      { row: 2, status: 'error', reason: invisibleRefusal },
      { row: 3, status: 'created' },
    ])
    const { rows: stored } = await bo(
      `select first_name, company_id from contacts where brand_id = $1 and email = 'zoe@example.com'`,
    )
    expect(stored).toEqual([{ first_name: null, company_id: null }])
  })

  it('a contact’s e-mail address with an invisible character is refused by the table too; existing addresses stay', async () => {
    const contactId = await bo(
      `insert into contacts (brand_id, email) values ($1, 'old@example.com') returning id`,
    ).then(({ rows }) => rows[0]?.id)
    expect(await refusalOf(bo('insert into contacts (brand_id, email) values ($1, $2)', 'zo\u200be@example.com'))).toBe(
      `22023 ${invisibleRefusal}`,
    )
    expect(
      await refusalOf(
        bo('update contacts set email = $2 where brand_id = $1 and id = $3', 'zo\u2060e@example.com', contactId),
      ),
    ).toBe(`22023 ${invisibleRefusal}`)
    const client = await scene.owner.connect()
    try {
      await client.query(`set session_replication_role = 'replica'`)
      await client.query(`update contacts set email = U&'ol\\200Bd@example.com' where id = $1`, [contactId])
      await client.query(`reset session_replication_role`)
    } finally {
      client.release()
    }
    await bo(`update contacts set title = 'Buyer' where brand_id = $1 and id = $2`, contactId)
    await bo('delete from contacts where brand_id = $1 and id = $2', contactId)
    expect((await bo(`select restore_records($1, 'contacts', array[$2::uuid]) as back`, contactId)).rows).toEqual([
      { back: [contactId] },
    ])
  })
})
