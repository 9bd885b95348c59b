import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

async function defineField(type: string, { table = 'companies', brand = scene.acme, options = [] as unknown[] } = {}) {
  const { rows } = await scene.as(brand === scene.acme ? 'cy' : 'eve')<{ id: string }>(
    `insert into custom_fields (brand_id, "table", label, type, options) values ($1, $2, $3, $4, $5) returning id`,
    [brand, table, `Field ${randomUUID()}`, type, JSON.stringify(options)],
  )
  return String(rows[0]?.id)
}

/**
 * Replaces the companies by one for each of these values of a field; undefined makes a company without a value. The name of a company is
 * the position of its value. The first company is the newest.
 */
async function fillCompanies(field: string, values: readonly unknown[]) {
  await scene.owner.query('delete from companies where brand_id = $1', [scene.acme])
  for (const [position, value] of values.entries())
    await scene.owner.query(
      `insert into companies (brand_id, id, name, custom, created_at) values ($1, $2, $3, $4, now() - $5 * interval '1 day')`,
      [
        scene.acme,
        `00000000-0000-4000-8000-00000000000${position}`,
        String(position),
        value === undefined ? {} : { [field]: value },
        position,
      ],
    )
}

interface Page {
  rows: { name: string }[]
  end: unknown[]
}

async function readPage(order: string, more: object = {}, person: Person = 'bo'): Promise<Page> {
  const { rows } = await scene.as(person)<{ page: Page }>(`select read_queries($1, $2) -> 'answers' -> 0 as page`, [
    scene.acme,
    JSON.stringify([{ table: 'companies', order, ...more }]),
  ])
  return rows[0]?.page ?? { rows: [], end: [] }
}

/** Returns the names of all companies in this order, joined. Reads pages of two, each after the end of the previous one. */
async function namesInOrder(order: string): Promise<string> {
  const names: string[] = []
  let after: unknown[] | null = null
  for (;;) {
    const { rows, end }: Page = await readPage(order, { after, limit: 2 })
    names.push(...rows.map(({ name }) => name))
    if (rows.length < 2) return names.join('')
    after = end
  }
}

describe('the order by a custom field', () => {
  it.each([
    ['number', [10, undefined, 9, -0.5, 9, undefined], '324015', '024315'],
    ['money', [10.5, 10.25, undefined, 1e11], '1032', '3012'],
    ['text', ['Item 10', 'item 2', undefined, 'Äpfel', 'Zoo'], '31042', '40132'],
    ['link', ['https://b.test', undefined, 'https://a.test'], '201', '021'],
    ['date', ['2026-11-23', '0999-01-01', undefined, '2026-02-01'], '1302', '0312'],
    ['yes_no', [true, false, undefined, true, false], '14032', '03142'],
  ])(
    'the order by a custom field of the type %s ascends and descends, with empty values last and equal ones by id',
    async (type, values, up, down) => {
      const field = await defineField(type)
      await fillCompanies(field, values)
      expect(await namesInOrder(`custom.${field}`)).toBe(up)
      expect(await namesInOrder(`custom.${field}.desc`)).toBe(down)
    },
  )

  it('the order by a custom field of the type choice follows the order of its options', async () => {
    const field = await defineField('choice', { options: ['Small', 'Large', 'Medium'] })
    await fillCompanies(field, ['Large', 'Small', undefined, 'Medium'])
    expect(await namesInOrder(`custom.${field}`)).toBe('1032')
    await scene.as('cy')('update custom_fields set options = $3 where brand_id = $1 and id = $2', [
      scene.acme,
      field,
      JSON.stringify(['Large', 'Medium']),
    ])
    // A removed option sorts after the others, but before empty values.
    expect(await namesInOrder(`custom.${field}`)).toBe('0312')
    expect(await namesInOrder(`custom.${field}.desc`)).toBe('1302')
  })

  it('the order by a retired custom field is the table’s own order', async () => {
    const field = await defineField('number')
    await fillCompanies(field, [3, 1, 2])
    expect(await namesInOrder(`custom.${field}`)).toBe('120')
    await scene.as('cy')('update custom_fields set retired_at = now() where brand_id = $1 and id = $2', [
      scene.acme,
      field,
    ])
    expect(await namesInOrder(`custom.${field}`)).toBe('012')
  })

  it('the order by a custom field is refused for a field of another brand or table, for a type without an order, and for an unknown name', async () => {
    const fieldOfUmbra = await defineField('number', { brand: scene.umbra })
    const fieldOfContacts = await defineField('number', { table: 'contacts' })
    const fieldsWithoutOrder = await Promise.all(['long_text', 'choices'].map((type) => defineField(type)))
    for (const id of [
      fieldOfUmbra,
      fieldOfContacts,
      ...fieldsWithoutOrder,
      randomUUID(),
      '',
      'x',
      `${randomUUID()}.asc`,
      `x' or true --`,
    ])
      expect(await refusalOf(readPage(`custom.${id}`))).toMatch(/^22023 The table companies has no order custom\./)
    const field = await defineField('number')
    await fillCompanies(field, [1])
    expect(await refusalOf(readPage(`custom.${field}`, { after: ['x', randomUUID()] }))).toMatch(/^22P02 /)
    expect(await refusalOf(readPage(`custom.${field}`, { after: [1] }))).toMatch(/^22023 The "after" of a query/)
    expect(await refusalOf(readPage(`custom.${field}`, {}, 'gus'))).toBe('P0001 NOT_AUTHORIZED')
  })

  it('the order by a custom field places a value of another type, which only a write without triggers can store, like an empty value', async () => {
    const field = await defineField('number')
    await fillCompanies(field, [2, 1])
    await scene.owner.query(
      `set session_replication_role = replica; update companies set custom = '{"${field}": "x"}' where name = '0'; set session_replication_role = origin`,
    )
    expect(await namesInOrder(`custom.${field}`)).toBe('10')
  })
})
