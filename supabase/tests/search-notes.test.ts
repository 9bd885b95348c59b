import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

interface Answer {
  notes: { id: string; body: string }[]
  named: Record<string, { id: string }[]>
  next: string | null
}

let scene: Scene
const [zoe, uta, company] = [randomUUID(), randomUUID(), randomUUID()]
const runInAcme = (person: Person, text: string, ...values: unknown[]) =>
  scene.as(person)(text, [scene.acme, ...values])
const search = async (
  text: string,
  query: object = {},
  before: string | null = null,
  limit = 20,
  person: Person = 'bo',
) =>
  (
    await runInAcme(
      person,
      'select search_notes($1, $2, $3, $4) as answer',
      { table: 'contacts', search: text, ...query },
      before,
      limit,
    )
  ).rows[0]?.answer as Answer
const bodies = async (...args: Parameters<typeof search>) => (await search(...args)).notes.map(({ body }) => body)
const addNote = (body: string, link: string, id: string, at = '2026-10-01') =>
  runInAcme('bo', `insert into notes (brand_id, body, ${link}, occurred_at) values ($1, $2, $3, $4)`, body, id, at)

beforeAll(async () => {
  scene = await openScene()
  await runInAcme('bo', `insert into companies (brand_id, id, name) values ($1, $2, 'Big')`, company)
  await runInAcme(
    'bo',
    `insert into contacts (brand_id, id, first_name) values ($1, $2, 'Zoe'), ($1, $3, 'Uta')`,
    zoe,
    uta,
  )
  await addNote(
    'Has a **Cork-Allergy**, ask @[Bo Müller](user:11111111-2222-4333-8444-555555555555).',
    'contact_id',
    zoe,
  )
  await addNote('Cork is fine. Памʼять. Writes to o.neil@kork.test', 'contact_id', uta, '2026-10-02')
  await addNote('No cork at Big', 'company_id', company)
})
afterAll(() => scene.drop())

describe('a search of notes', () => {
  it.each([
    ['cork', ['Cork', 'Has']],
    ['COR ALL', ['Has']],
    ['allergy cork', ['Has']],
    ['cork-allergy', ['Has']],
    ['mueller', ['Has']],
    ['muller bo', ['Has']],
    ['kork.test', ['Cork']],
    ["o’neil пам'ять", ['Cork']],
    ['ork', []],
    ['11111111', []],
    ['user', []],
    [`' | cork:* \\ !`, ['Cork', 'Has']],
    [' -- ', []],
    ['', []],
  ])(
    'a search of notes for %s finds words by their beginnings, in any order, in the notes of contacts only',
    async (text, firstWords) => {
      expect((await bodies(text)).map((body) => body.split(' ')[0])).toEqual(firstWords)
    },
  )

  it('a search of notes returns each record once, with its name and its newest matching note, page by page', async () => {
    await addNote('Cork again', 'contact_id', zoe, '2026-10-03')
    const first = await search('cork', {}, null, 1)
    expect(first.notes.map(({ body }) => body)).toEqual(['Cork again'])
    expect(first.named.contacts?.map(({ id }) => id)).toEqual([zoe])
    const second = await search('cork', {}, first.next, 1)
    expect(second.notes.map(({ body }) => body)).toEqual(['Cork is fine. Памʼять. Writes to o.neil@kork.test'])
    expect(second.next).toBeNull()
    // Zoe's note about the allergy is older than the notes of both pages, so a search after the first page finds it.
    expect(await bodies('allergy', {}, first.next)).toEqual([expect.stringMatching(/^Has a/)])
    expect(await bodies('cork', { table: 'companies' })).toEqual(['No cork at Big'])
  })

  it('a search of notes follows the filters of the list', async () => {
    await runInAcme('bo', 'update contacts set owner_id = $2 where brand_id = $1 and id = $3', scene.ids.kim, uta)
    expect(await bodies('cork', { where: { owner_id: scene.ids.kim } })).toEqual([expect.stringMatching(/fine/)])
    expect(await bodies('cork', { where: { id: [randomUUID()] } })).toEqual([])
  })

  it('a search of notes returns the same results if more than 1,000 notes match', async () => {
    await runInAcme(
      'service',
      `insert into notes (brand_id, body, contact_id, occurred_at)
       select $1, 'Much cork ' || n, $2, '2026-09-01'::timestamptz - n * interval '1 minute' from generate_series(1, 1100) n`,
      uta,
    )
    const first = await search('cork', {}, null, 1)
    expect(first.notes.map(({ body }) => body)).toEqual(['Cork again'])
    expect(await bodies('cork', {}, first.next)).toEqual([expect.stringMatching(/fine/)])
    expect(await bodies('much cork')).toEqual(['Much cork 1'])
    expect(await bodies('cork', { where: { id: zoe } })).toEqual(['Cork again'])
    await runInAcme('service', `delete from notes where brand_id = $1 and body like 'Much cork%'`)
    expect(await bodies('much cork')).toEqual([])
  })

  it('a search of notes follows edits, deletes and restores', async () => {
    await runInAcme('bo', `update notes set body = 'Tin is fine' where brand_id = $1 and body like 'Cork is%'`)
    expect(await bodies('cork')).toEqual(['Cork again'])
    expect(await bodies('tin')).toEqual(['Tin is fine'])
    const { rows } = await runInAcme(
      'bo',
      `delete from notes where brand_id = $1 and body = 'Tin is fine' returning id`,
    )
    expect(await bodies('tin')).toEqual([])
    await runInAcme('bo', `select restore_records($1, 'notes', $2)`, [rows[0]?.id])
    expect(await bodies('tin')).toEqual(['Tin is fine'])
  })

  it('a search of notes is for members only, and refuses unknown tables and conditions', async () => {
    for (const person of ['eve', 'gus', 'dee'] as const)
      expect(await refusalOf(search('cork', {}, null, 20, person))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(search('cork', { table: 'tasks' }))).toMatch(/^22023 Contacts, companies and deals/)
    expect(await refusalOf(search('cork', { table: null }))).toMatch(/^22023 Contacts, companies and deals/)
    expect(await refusalOf(search('x'.repeat(1001)))).toMatch(/^22023 A search of notes has at most 1000/)
    expect(await refusalOf(search('cork', {}, 'next'))).toMatch(/^22023 p_before is/)
    expect(await refusalOf(search('cork', { where: { nothing: 1 } }))).toMatch(
      /^42703 The table contacts has no column/,
    )
    expect(
      await runInAcme('bo', 'select search_notes($1, null, null, null) as answer').catch((error) => error.message),
    ).toMatch(/are found by their notes/)
  })

  it('a search of notes works with words of 5,000 letters, with emoji and with combining characters', async () => {
    await addNote(`${'w'.repeat(5000)} ${'é😀'.repeat(2000)}`, 'contact_id', zoe, '2026-10-09')
    expect(await bodies('w'.repeat(900))).toHaveLength(1)
    expect(await bodies('e')).toHaveLength(1)
    expect(await bodies('a b c d e f g h not looked at')).toEqual([])
    expect(await bodies(`${'é'.repeat(500)}\u0301`)).toEqual([])
  })
})
