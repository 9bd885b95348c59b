import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, refusal, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const acme = (person: Person, text: string, ...values: unknown[]) => scene.as(person)(text, [scene.acme, ...values])

async function define(type: string, label = `Field ${randomUUID()}`, options: unknown[] = [], table = 'contacts') {
  const { rows } = await acme(
    'cy',
    `insert into custom_fields (brand_id, "table", label, type, options) values ($1, $2, $3, $4, $5) returning id`,
    table,
    label,
    type,
    JSON.stringify(options),
  )
  return String(rows[0]?.id)
}

async function contact(custom: unknown = {}): Promise<string> {
  const email = `${randomUUID()}@example.com`
  const { rows } = await acme(
    'bo',
    'insert into contacts (brand_id, email, custom) values ($1, $2, $3) returning id',
    email,
    custom,
  )
  return String(rows[0]?.id)
}

const patch = (id: string, custom: unknown) =>
  acme('bo', 'update contacts set custom = $3 where brand_id = $1 and id = $2', id, JSON.stringify(custom))
const stored = async (id: string) =>
  (await acme('bo', 'select custom from contacts where brand_id = $1 and id = $2', id)).rows[0]?.custom

describe('the definition of a custom field', () => {
  it('the definition of a custom field is created and changed by admins and owners only, and seen by members of its brand only', async () => {
    const id = await define('text', 'Region')
    expect(
      (await acme('bo', 'select label, key, position, version from custom_fields where brand_id = $1 and id = $2', id))
        .rows,
    ).toMatchObject([{ label: 'Region', key: 'region', version: 1 }])
    expect((await acme('gus', 'select from custom_fields where brand_id = $1')).rowCount).toBe(0)
    const add = `insert into custom_fields (brand_id, "table", label, type) values ($1, 'contacts', 'Mine', 'text')`
    const rls = '42501 new row violates row-level security policy for table "custom_fields"'
    expect(await refusal(acme('bo', add))).toBe(rls)
    expect(await refusal(acme('gus', add))).toBe(rls)
    expect(
      (await acme('bo', `update custom_fields set label = 'Mine' where brand_id = $1 and id = $2`, id)).rowCount,
    ).toBe(0)
    expect(
      (await acme('ana', `update custom_fields set label = 'Area' where brand_id = $1 and id = $2`, id)).rowCount,
    ).toBe(1)
    expect(await refusal(acme('ana', 'delete from custom_fields where brand_id = $1'))).toMatch(/^42501 /)
  })

  it('a new custom field gets a free key from its label, or a label from its key, and the last position', async () => {
    const keyOf = async (label: string) =>
      (
        await acme(
          'cy',
          `insert into custom_fields (brand_id, "table", label, type) values ($1, 'companies', $2, 'text') returning key`,
          label,
        )
      ).rows[0]?.key
    expect(await keyOf(' Größe & Müll ')).toBe('grosse_mull')
    expect(await keyOf('Größe/Müll')).toBe('grosse_mull_2')
    expect(await keyOf('2026')).toBe('field_2026')
    expect(await keyOf('日付')).toBe('field')
    const { rows } = await acme(
      'cy',
      `insert into custom_fields (brand_id, "table", key, type) values ($1, 'companies', 'renewal_month', 'date') returning label, position::int`,
    )
    expect(rows).toEqual([{ label: 'Renewal month', position: 5 }])
  })

  it('the definition of a custom field cannot get another table, key or type, not even with the secret key', async () => {
    const id = await define('number')
    for (const change of [`"table" = 'deals'`, `key = 'other'`, `type = 'text'`])
      expect(
        await refusal(acme('service', `update custom_fields set ${change} where brand_id = $1 and id = $2`, id)),
      ).toBe('22023 The table, key and type of a field cannot be changed.')
  })

  it('the label of a custom field, ignoring case, is unique among the fields of its table that are not retired', async () => {
    const id = await define('text', 'Shirt size')
    expect(await refusal(define('text', 'shirt SIZE'))).toMatch(/^23505 /)
    await acme('cy', 'update custom_fields set retired_at = now() where brand_id = $1 and id = $2', id)
    await define('text', 'Shirt Size')
    expect(
      await refusal(acme('cy', 'update custom_fields set retired_at = null where brand_id = $1 and id = $2', id)),
    ).toMatch(/^23505 /)
  })

  it('an option that is removed from a custom field is retired, because records may use it; invalid options are refused', async () => {
    const id = await define('choice', 'Tier', ['Gold', { id: 's', label: ' Silver ' }])
    const options = async () =>
      (await acme('bo', 'select options from custom_fields where brand_id = $1 and id = $2', id)).rows[0]?.options
    expect(await options()).toEqual([
      { id: 'Gold', label: 'Gold' },
      { id: 's', label: 'Silver' },
    ])
    const set = (value: unknown) =>
      acme('cy', 'update custom_fields set options = $3 where brand_id = $1 and id = $2', id, JSON.stringify(value))
    await set([{ id: 's', label: 'Argent' }])
    expect(await options()).toEqual([
      { id: 's', label: 'Argent' },
      { id: 'Gold', label: 'Gold', retired: true },
    ])
    for (const wrong of [
      null,
      {},
      'x',
      [1],
      [''],
      [{ id: 'a' }],
      ['A', 'a'],
      Array.from({ length: 201 }, (_, n) => `${n}`),
    ])
      expect(await refusal(set(wrong))).toMatch(/^(22023|23502) /)
  })

  it('a table of a brand has at most 50 custom fields that are not retired', async () => {
    const add = (count: number) =>
      acme(
        'ana',
        `insert into custom_fields (brand_id, "table", label, type) select $1, 'deals', 'Field ' || gen_random_uuid(), 'text' from generate_series(1, $2)`,
        count,
      )
    await add(50)
    expect(await refusal(add(1))).toBe(
      '54000 The deals of a brand have at most 50 fields of their own. Retire one first.',
    )
    await acme('ana', `update custom_fields set retired_at = now() where brand_id = $1 and "table" = 'deals'`)
    await add(1)
  })
})

describe('a value of a custom field', () => {
  const gold = { id: 'g', label: 'Gold' }
  const silver = { id: 's', label: 'Silver' }
  const cases: [type: string, given: unknown, kept: unknown][] = [
    ['text', ' north ', 'north'],
    ['long_text', 'a\nb', 'a\nb'],
    ['number', 1.5, 1.5],
    ['money', -12.5, -12.5],
    ['date', '2024-02-29', '2024-02-29'],
    ['yes_no', false, false],
    ['choice', 's', 's'],
    ['choices', ['s', 'g'], ['g', 's']],
    ['link', ' https://example.com/a ', 'https://example.com/a'],
  ]
  it.each(cases)(
    'a value of a custom field of the type %s is stored, and removed by null',
    async (type, given, kept) => {
      const field = await define(type, undefined, [gold, silver])
      const id = await contact({ [field]: given })
      expect(await stored(id)).toEqual({ [field]: kept })
      await patch(id, { [field]: null })
      expect(await stored(id)).toEqual({})
      await patch(id, { [field]: given })
      expect(await stored(id)).toEqual({ [field]: kept })
    },
  )

  const empty: [type: string, given: unknown][] = [
    ['text', '  '],
    ['date', ''],
    ['choice', ''],
    ['choices', []],
    ['link', ' '],
  ]
  it.each(empty)('a value of a custom field of the type %s that is %j counts as empty', async (type, given) => {
    const field = await define(type, undefined, [gold])
    expect(await stored(await contact({ [field]: given }))).toEqual({})
  })

  const wrong: [type: string, given: unknown, words: string][] = [
    ['text', 'x'.repeat(501), 'takes a text of at most 500 characters.'],
    ['text', 5, 'takes a text of at most 500 characters.'],
    ['long_text', { a: 1 }, 'takes a text of at most 5000 characters.'],
    ['number', '5', 'takes a number below 1,000,000,000,000 with at most 6 decimals.'],
    ['number', 1e12, 'takes a number below 1,000,000,000,000 with at most 6 decimals.'],
    ['money', 0.001, 'takes a number below 1,000,000,000,000 with at most 2 decimals.'],
    ['date', '2026-02-30', 'takes a date such as 2026-11-23.'],
    ['date', '23/11/2026', 'takes a date such as 2026-11-23.'],
    ['date', 20261123, 'takes a date such as 2026-11-23.'],
    ['yes_no', 'yes', 'takes true or false.'],
    ['choice', 'bronze', 'takes the id of one of its options.'],
    ['choice', ['g'], 'takes the id of one of its options.'],
    ['choices', 'g', 'takes a list of ids of its options.'],
    ['choices', ['g', 'bronze'], 'takes a list of ids of its options.'],
    ['choices', [['g']], 'takes a list of ids of its options.'],
    ['link', 'javascript:alert(1)', 'takes an address that begins with http:// or https://.'],
    ['link', 'example.com', 'takes an address that begins with http:// or https://.'],
  ]
  it.each(wrong)(
    'a value of a custom field of the type %s that is %j is refused with the name of the field',
    async (type, given, words) => {
      const label = `Its ${randomUUID()}`
      const field = await define(type, label, [gold])
      expect(await refusal(contact({ [field]: given }))).toBe(`22023 The field "${label}" ${words}`)
    },
  )

  it('a value of a custom field is refused if its field is unknown or belongs to another table or brand, or if custom is no object', async () => {
    const id = await contact()
    const ofDeals = await define('text', undefined, [], 'deals').catch(() => randomUUID())
    const { rows } = await scene.as('eve')(
      `insert into custom_fields (brand_id, "table", label, type) values ($1, 'contacts', 'Secret name', 'text') returning id`,
      [scene.umbra],
    )
    for (const field of [randomUUID(), ofDeals, String(rows[0]?.id), 'x', '__proto__', ofDeals.toUpperCase()])
      expect(await refusal(patch(id, { [field]: 'x' }))).toBe(`22023 There is no field ${field} for contacts.`)
    for (const custom of [null, [], 'x', 5])
      expect(await refusal(patch(id, custom))).toBe('22023 custom is an object: ids of fields with their values.')
    expect(await refusal(acme('bo', 'update contacts set custom = null where brand_id = $1 and id = $2', id))).toMatch(
      /^22023 /,
    )
    // A refusal reveals no label to a person outside of the brand.
    const field = await define('number', 'Margin')
    const text = 'insert into contacts (brand_id, email, custom) values ($1, $2, $3)'
    expect(await refusal(acme('gus', text, 'gus@example.com', { [field]: 'x' }))).toBe(
      `22023 There is no field ${field} for contacts.`,
    )
  })

  it('a value of a retired custom field stays, and can be changed', async () => {
    const field = await define('text')
    const other = await define('text')
    const id = await contact({ [field]: 'old' })
    await acme('cy', 'update custom_fields set retired_at = now() where brand_id = $1 and id = $2', field)
    await patch(id, { [other]: 'new' })
    expect(await stored(id)).toEqual({ [field]: 'old', [other]: 'new' })
    await patch(id, { [field]: 'back' })
    expect(await stored(id)).toEqual({ [field]: 'back', [other]: 'new' })
  })

  it('the values of custom fields of a record have at most 8 kB together', async () => {
    const [one, two] = [await define('long_text'), await define('long_text')]
    const id = await contact({ [one]: 'x'.repeat(5000) })
    expect(await refusal(patch(id, { [two]: 'x'.repeat(4000) }))).toBe(
      '54000 The fields of a record hold at most 8 kB together.',
    )
    expect(await refusal(patch(id, { [two]: 'x'.repeat(10_000_000) }))).toBe(
      '54000 The fields of a record hold at most 8 kB together.',
    )
    await patch(id, { [two]: 'x'.repeat(3000) })
  })

  it('a value of a custom field is restored with its deleted record, even if its field was removed meanwhile', async () => {
    const field = await define('text')
    const id = await contact({ [field]: 'kept' })
    await acme('bo', 'delete from contacts where brand_id = $1 and id = $2', id)
    await acme('service', 'delete from custom_fields where brand_id = $1 and id = $2', field)
    await acme('bo', `select restore_records($1, 'contacts', array[$2]::uuid[])`, id)
    expect(await stored(id)).toEqual({ [field]: 'kept' })
    expect(await refusal(acme('bo', `select restore_records($1, 'custom_fields', array[$2]::uuid[])`, field))).toMatch(
      /NOT_AUTHORIZED/,
    )
    await acme('cy', `select restore_records($1, 'custom_fields', array[$2]::uuid[])`, field)
  })

  it('a record is restored without values of custom fields if its tombstone contains none', async () => {
    const id = await contact()
    await acme('bo', 'delete from contacts where brand_id = $1 and id = $2', id)
    await scene.owner.query(`update private.tombstones set row_data = row_data - 'custom' where row_id = $1`, [id])
    await acme('bo', `select restore_records($1, 'contacts', array[$2]::uuid[])`, id)
    expect(await stored(id)).toEqual({})
  })
})

describe('patches of custom fields', () => {
  it('patches of different custom fields commute and are merged', async () => {
    const fields = [await define('text'), await define('number'), await define('yes_no')]
    const values: Record<string, unknown>[] = fields.flatMap((field, n) =>
      [null, ['a', 'b'], [1, 2], [true, false]].flatMap((given, kind) =>
        (kind === 0 ? [null] : kind === n + 1 ? (given as unknown[]) : []).map((value) => ({ [field]: value })),
      ),
    )
    const anyPatch = fc.uniqueArray(fc.constantFrom(...values), {
      minLength: 1,
      maxLength: 3,
      selector: (each) => Object.keys(each)[0],
    })
    const join = (parts: Record<string, unknown>[]) => Object.assign({}, ...parts) as Record<string, unknown>
    const run = async (start: Record<string, unknown>, patches: Record<string, unknown>[]) => {
      const id = await contact(start)
      for (const each of patches) await patch(id, each)
      return stored(id)
    }
    await fc.assert(
      fc.asyncProperty(anyPatch, anyPatch, anyPatch, async (start, one, other) => {
        const begin = join(start)
        const [first, second] = [join(one), join(other)]
        const merged = Object.fromEntries(
          Object.entries({ ...begin, ...first, ...second }).filter(([, value]) => value !== null),
        )
        expect(await run(begin, [first, second])).toEqual(merged)
        expect(await run(begin, [{ ...first, ...second }])).toEqual(merged)
        if (Object.keys(first).some((key) => key in second)) return
        expect(await run(begin, [second, first])).toEqual(merged)
      }),
      { numRuns: 25 },
    )
  })

  it('patches of custom fields from two people at once are both kept', async () => {
    const [one, two] = [await define('text'), await define('text')]
    const id = await contact()
    await Promise.all([
      patch(id, { [one]: 'bo' }),
      acme('kim', 'update contacts set custom = $3 where brand_id = $1 and id = $2', id, { [two]: 'kim' }),
    ])
    expect(await stored(id)).toEqual({ [one]: 'bo', [two]: 'kim' })
  })
})

describe('a filter by a custom field', () => {
  it('a filter by a custom field finds the matching rows, in its own brand only', async () => {
    const tier = await define('choice', undefined, ['a', 'b'])
    const many = await define('choices', undefined, ['x', 'y'])
    const number = await define('number')
    const day = await define('date')
    const first = await contact({ [tier]: 'a', [many]: ['x', 'y'], [number]: 9, [day]: '2026-01-31' })
    const second = await contact({ [tier]: 'b', [many]: ['y'], [number]: 10, [day]: '2026-02-01' })
    const found = async (where: unknown, person: Person = 'bo') => {
      const { rows } = await acme(
        person,
        `select read_queries($1, $2) as answer`,
        JSON.stringify([
          { table: 'contacts', where: { ...(where as object), id: [first, second] }, order: 'newest', count: true },
        ]),
      )
      const { answers } = (rows[0]?.answer ?? {}) as { answers: { rows: { id: string }[]; total: number }[] }
      expect(answers[0]?.total).toBe(answers[0]?.rows.length)
      return new Set(answers[0]?.rows.map(({ id }) => (id === first ? 1 : 2)))
    }
    expect(await found({ [`custom.${tier}`]: 'a' })).toEqual(new Set([1]))
    expect(await found({ [`custom.${tier}`]: ['a', 'b'] })).toEqual(new Set([1, 2]))
    expect(await found({ [`custom.${tier}`]: [] })).toEqual(new Set())
    expect(await found({ [`custom.${many}`]: { has: 'x' } })).toEqual(new Set([1]))
    expect(await found({ [`custom.${many}`]: { has: ['x', 'y'] } })).toEqual(new Set([1, 2]))
    expect(await found({ [`custom.${number}`]: { gte: 10 } })).toEqual(new Set([2]))
    expect(await found({ [`custom.${number}`]: { lt: 10, gt: 8 } })).toEqual(new Set([1]))
    expect(await found({ [`custom.${day}`]: { gt: '2026-01-31' } })).toEqual(new Set([2]))
    // A value of another type matches nothing, and causes no error.
    expect(await found({ [`custom.${tier}`]: { gt: 3 } })).toEqual(new Set())
    expect(await found({ [`custom.${randomUUID()}`]: null })).toEqual(new Set([1, 2]))
    expect(await found({ [`custom.${number}`]: { not: null } })).toEqual(new Set([1, 2]))
    expect(await refusal(found({ [`custom.${number}`]: { near: 1 } }))).toMatch(/^22023 A condition of a field/)
    expect(await refusal(found({ [`custom.x' or true --`]: 'a' }))).toMatch(/^22023 A field in p_queries/)
    expect(await refusal(found({ [`custom.${tier}`]: 'a' }, 'gus'))).toBe('P0001 NOT_AUTHORIZED')
  })

  it('a filter for equality with a value of a custom field uses the index of custom values', async () => {
    const field = await define('text')
    await scene.owner.query(
      `insert into contacts (brand_id, email, custom) select $1, n || '@many.example.com', jsonb_build_object($2::text, 'v' || n % 500)
       from generate_series(1, 5000) n`,
      [scene.acme, field],
    )
    await scene.owner.query('vacuum analyze contacts')
    const { rows } = await scene.owner.query<{ filter: string }>(
      `select private.query_filter('contacts', $1, null) as filter`,
      [{ where: { [`custom.${field}`]: 'v7' } }],
    )
    const plan = await scene.owner.query(
      `explain select from contacts r where ${rows[0]?.filter.replace('$1', `'${scene.acme}'`)}`,
    )
    expect(JSON.stringify(plan.rows)).toContain('contacts_by_custom_idx')
  })
})
