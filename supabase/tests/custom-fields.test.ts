import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const queryAcme = (person: Person, text: string, ...values: unknown[]) =>
  scene.as(person)(text, [scene.acme, ...values])

async function defineField(type: string, label = `Field ${randomUUID()}`, options: unknown[] = [], table = 'contacts') {
  const { rows } = await queryAcme(
    'cy',
    `insert into custom_fields (brand_id, "table", label, type, options) values ($1, $2, $3, $4, $5) returning id`,
    table,
    label,
    type,
    JSON.stringify(options),
  )
  return String(rows[0]?.id)
}

async function addContact(custom: unknown = {}): Promise<string> {
  const email = `${randomUUID()}@example.com`
  const { rows } = await queryAcme(
    'bo',
    'insert into contacts (brand_id, email, custom) values ($1, $2, $3) returning id',
    email,
    custom,
  )
  return String(rows[0]?.id)
}

const patchCustom = (id: string, custom: unknown) =>
  queryAcme('bo', 'update contacts set custom = $3 where brand_id = $1 and id = $2', id, JSON.stringify(custom))
const storedCustom = async (id: string) =>
  (await queryAcme('bo', 'select custom from contacts where brand_id = $1 and id = $2', id)).rows[0]?.custom

describe('the definition of a custom field', () => {
  it('the definition of a custom field is created and changed by admins and owners only, and seen by members of its brand only', async () => {
    const id = await defineField('text', 'Region')
    expect(
      (
        await queryAcme(
          'bo',
          'select label, key, position, version from custom_fields where brand_id = $1 and id = $2',
          id,
        )
      ).rows,
    ).toMatchObject([{ label: 'Region', key: 'region', version: 1 }])
    expect((await queryAcme('gus', 'select from custom_fields where brand_id = $1')).rowCount).toBe(0)
    const insertField = `insert into custom_fields (brand_id, "table", label, type) values ($1, 'contacts', 'Mine', 'text')`
    const rlsError = '42501 new row violates row-level security policy for table "custom_fields"'
    expect(await refusalOf(queryAcme('bo', insertField))).toBe(rlsError)
    expect(await refusalOf(queryAcme('gus', insertField))).toBe(rlsError)
    expect(
      (await queryAcme('bo', `update custom_fields set label = 'Mine' where brand_id = $1 and id = $2`, id)).rowCount,
    ).toBe(0)
    expect(
      (await queryAcme('ana', `update custom_fields set label = 'Area' where brand_id = $1 and id = $2`, id)).rowCount,
    ).toBe(1)
    expect(await refusalOf(queryAcme('ana', 'delete from custom_fields where brand_id = $1'))).toMatch(/^42501 /)
  })

  it('a new custom field gets a free key from its label, or a label from its key, and the last position', async () => {
    const keyOfNew = async (label: string) =>
      (
        await queryAcme(
          'cy',
          `insert into custom_fields (brand_id, "table", label, type) values ($1, 'companies', $2, 'text') returning key`,
          label,
        )
      ).rows[0]?.key
    expect(await keyOfNew(' Größe & Müll ')).toBe('grosse_mull')
    expect(await keyOfNew('Größe/Müll')).toBe('grosse_mull_2')
    expect(await keyOfNew('2026')).toBe('field_2026')
    expect(await keyOfNew('日付')).toBe('field')
    const { rows } = await queryAcme(
      'cy',
      `insert into custom_fields (brand_id, "table", key, type) values ($1, 'companies', 'renewal_month', 'date') returning label, position::int`,
    )
    expect(rows).toEqual([{ label: 'Renewal month', position: 5 }])
  })

  it('the definition of a custom field cannot get another table, key or type, not even with the secret key', async () => {
    const id = await defineField('number')
    for (const change of [`"table" = 'deals'`, `key = 'other'`, `type = 'text'`])
      expect(
        await refusalOf(queryAcme('service', `update custom_fields set ${change} where brand_id = $1 and id = $2`, id)),
      ).toBe('22023 The table, key and type of a field cannot be changed.')
  })

  it('the label of a custom field, ignoring case, is unique among the fields of its table that are not retired', async () => {
    const id = await defineField('text', 'Shirt size')
    expect(await refusalOf(defineField('text', 'shirt SIZE'))).toMatch(/^23505 /)
    await queryAcme('cy', 'update custom_fields set retired_at = now() where brand_id = $1 and id = $2', id)
    await defineField('text', 'Shirt Size')
    expect(
      await refusalOf(
        queryAcme('cy', 'update custom_fields set retired_at = null where brand_id = $1 and id = $2', id),
      ),
    ).toMatch(/^23505 /)
  })

  it('an option that is removed from a custom field is retired, because records may use it; invalid options are refused', async () => {
    const id = await defineField('choice', 'Tier', ['Gold', { id: 's', label: ' Silver ' }])
    const options = async () =>
      (await queryAcme('bo', 'select options from custom_fields where brand_id = $1 and id = $2', id)).rows[0]?.options
    expect(await options()).toEqual([
      { id: 'Gold', label: 'Gold' },
      { id: 's', label: 'Silver' },
    ])
    const setOptions = (value: unknown) =>
      queryAcme(
        'cy',
        'update custom_fields set options = $3 where brand_id = $1 and id = $2',
        id,
        JSON.stringify(value),
      )
    await setOptions([{ id: 's', label: 'Argent' }])
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
      expect(await refusalOf(setOptions(wrong))).toMatch(/^(22023|23502) /)
  })

  it('a table of a brand has at most 50 custom fields that are not retired', async () => {
    const addFields = (count: number) =>
      queryAcme(
        'ana',
        `insert into custom_fields (brand_id, "table", label, type) select $1, 'deals', 'Field ' || gen_random_uuid(), 'text' from generate_series(1, $2)`,
        count,
      )
    await addFields(50)
    expect(await refusalOf(addFields(1))).toBe(
      '54000 The deals of a brand have at most 50 fields of their own. Retire one first.',
    )
    await queryAcme('ana', `update custom_fields set retired_at = now() where brand_id = $1 and "table" = 'deals'`)
    await addFields(1)
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
      const field = await defineField(type, undefined, [gold, silver])
      const id = await addContact({ [field]: given })
      expect(await storedCustom(id)).toEqual({ [field]: kept })
      await patchCustom(id, { [field]: null })
      expect(await storedCustom(id)).toEqual({})
      await patchCustom(id, { [field]: given })
      expect(await storedCustom(id)).toEqual({ [field]: kept })
    },
  )

  const emptyValues: [type: string, given: unknown][] = [
    ['text', '  '],
    ['date', ''],
    ['choice', ''],
    ['choices', []],
    ['link', ' '],
  ]
  it.each(emptyValues)('a value of a custom field of the type %s that is %j counts as empty', async (type, given) => {
    const field = await defineField(type, undefined, [gold])
    expect(await storedCustom(await addContact({ [field]: given }))).toEqual({})
  })

  const wrong: [type: string, given: unknown, message: string][] = [
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
    async (type, given, message) => {
      const label = `Its ${randomUUID()}`
      const field = await defineField(type, label, [gold])
      expect(await refusalOf(addContact({ [field]: given }))).toBe(`22023 The field "${label}" ${message}`)
    },
  )

  it('a value of a custom field is refused if its field is unknown or belongs to another table or brand, or if custom is no object', async () => {
    const id = await addContact()
    const dealField = await defineField('text', undefined, [], 'deals').catch(() => randomUUID())
    const { rows } = await scene.as('eve')(
      `insert into custom_fields (brand_id, "table", label, type) values ($1, 'contacts', 'Secret name', 'text') returning id`,
      [scene.umbra],
    )
    for (const field of [randomUUID(), dealField, String(rows[0]?.id), 'x', '__proto__', dealField.toUpperCase()])
      expect(await refusalOf(patchCustom(id, { [field]: 'x' }))).toBe(`22023 There is no field ${field} for contacts.`)
    for (const custom of [null, [], 'x', 5])
      expect(await refusalOf(patchCustom(id, custom))).toBe(
        '22023 custom is an object: ids of fields with their values.',
      )
    expect(
      await refusalOf(queryAcme('bo', 'update contacts set custom = null where brand_id = $1 and id = $2', id)),
    ).toMatch(/^22023 /)
    // A refusal reveals no label to a person outside of the brand.
    const field = await defineField('number', 'Margin')
    const text = 'insert into contacts (brand_id, email, custom) values ($1, $2, $3)'
    expect(await refusalOf(queryAcme('gus', text, 'gus@example.com', { [field]: 'x' }))).toBe(
      `22023 There is no field ${field} for contacts.`,
    )
  })

  it('a value of a retired custom field stays, and can be changed', async () => {
    const field = await defineField('text')
    const otherField = await defineField('text')
    const id = await addContact({ [field]: 'old' })
    await queryAcme('cy', 'update custom_fields set retired_at = now() where brand_id = $1 and id = $2', field)
    await patchCustom(id, { [otherField]: 'new' })
    expect(await storedCustom(id)).toEqual({ [field]: 'old', [otherField]: 'new' })
    await patchCustom(id, { [field]: 'back' })
    expect(await storedCustom(id)).toEqual({ [field]: 'back', [otherField]: 'new' })
  })

  it('the values of custom fields of a record have at most 8 kB together', async () => {
    const [fieldA, fieldB] = [await defineField('long_text'), await defineField('long_text')]
    const id = await addContact({ [fieldA]: 'x'.repeat(5000) })
    expect(await refusalOf(patchCustom(id, { [fieldB]: 'x'.repeat(4000) }))).toBe(
      '54000 The fields of a record hold at most 8 kB together.',
    )
    expect(await refusalOf(patchCustom(id, { [fieldB]: 'x'.repeat(10_000_000) }))).toBe(
      '54000 The fields of a record hold at most 8 kB together.',
    )
    await patchCustom(id, { [fieldB]: 'x'.repeat(3000) })
  })

  it('a value of a custom field is restored with its deleted record, even if its field was removed meanwhile', async () => {
    const field = await defineField('text')
    const id = await addContact({ [field]: 'kept' })
    await queryAcme('bo', 'delete from contacts where brand_id = $1 and id = $2', id)
    await queryAcme('service', 'delete from custom_fields where brand_id = $1 and id = $2', field)
    await queryAcme('bo', `select restore_records($1, 'contacts', array[$2]::uuid[])`, id)
    expect(await storedCustom(id)).toEqual({ [field]: 'kept' })
    expect(
      await refusalOf(queryAcme('bo', `select restore_records($1, 'custom_fields', array[$2]::uuid[])`, field)),
    ).toMatch(/NOT_AUTHORIZED/)
    await queryAcme('cy', `select restore_records($1, 'custom_fields', array[$2]::uuid[])`, field)
  })

  it('a record is restored without values of custom fields if its tombstone contains none', async () => {
    const id = await addContact()
    await queryAcme('bo', 'delete from contacts where brand_id = $1 and id = $2', id)
    await scene.owner.query(`update private.tombstones set row_data = row_data - 'custom' where row_id = $1`, [id])
    await queryAcme('bo', `select restore_records($1, 'contacts', array[$2]::uuid[])`, id)
    expect(await storedCustom(id)).toEqual({})
  })
})

describe('patches of custom fields', () => {
  it('patches of different custom fields commute and are merged', async () => {
    const fields = [await defineField('text'), await defineField('number'), await defineField('yes_no')]
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
      const id = await addContact(start)
      for (const each of patches) await patchCustom(id, each)
      return storedCustom(id)
    }
    await fc.assert(
      fc.asyncProperty(anyPatch, anyPatch, anyPatch, async (startParts, firstParts, secondParts) => {
        const begin = join(startParts)
        const [first, second] = [join(firstParts), join(secondParts)]
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
    const [fieldA, fieldB] = [await defineField('text'), await defineField('text')]
    const id = await addContact()
    await Promise.all([
      patchCustom(id, { [fieldA]: 'bo' }),
      queryAcme('kim', 'update contacts set custom = $3 where brand_id = $1 and id = $2', id, { [fieldB]: 'kim' }),
    ])
    expect(await storedCustom(id)).toEqual({ [fieldA]: 'bo', [fieldB]: 'kim' })
  })
})

describe('a filter by a custom field', () => {
  it('a filter by a custom field finds the matching rows, in its own brand only', async () => {
    const tier = await defineField('choice', undefined, ['a', 'b'])
    const many = await defineField('choices', undefined, ['x', 'y'])
    const number = await defineField('number')
    const day = await defineField('date')
    const first = await addContact({ [tier]: 'a', [many]: ['x', 'y'], [number]: 9, [day]: '2026-01-31' })
    const second = await addContact({ [tier]: 'b', [many]: ['y'], [number]: 10, [day]: '2026-02-01' })
    const matchesOf = async (where: unknown, person: Person = 'bo') => {
      const { rows } = await queryAcme(
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
    expect(await matchesOf({ [`custom.${tier}`]: 'a' })).toEqual(new Set([1]))
    expect(await matchesOf({ [`custom.${tier}`]: ['a', 'b'] })).toEqual(new Set([1, 2]))
    expect(await matchesOf({ [`custom.${tier}`]: [] })).toEqual(new Set())
    expect(await matchesOf({ [`custom.${many}`]: { has: 'x' } })).toEqual(new Set([1]))
    expect(await matchesOf({ [`custom.${many}`]: { has: ['x', 'y'] } })).toEqual(new Set([1, 2]))
    expect(await matchesOf({ [`custom.${number}`]: { gte: 10 } })).toEqual(new Set([2]))
    expect(await matchesOf({ [`custom.${number}`]: { lt: 10, gt: 8 } })).toEqual(new Set([1]))
    expect(await matchesOf({ [`custom.${day}`]: { gt: '2026-01-31' } })).toEqual(new Set([2]))
    // A value of another type matches nothing, and causes no error.
    expect(await matchesOf({ [`custom.${tier}`]: { gt: 3 } })).toEqual(new Set())
    expect(await matchesOf({ [`custom.${randomUUID()}`]: null })).toEqual(new Set([1, 2]))
    expect(await matchesOf({ [`custom.${number}`]: { not: null } })).toEqual(new Set([1, 2]))
    expect(await refusalOf(matchesOf({ [`custom.${number}`]: { near: 1 } }))).toMatch(/^22023 A condition of a field/)
    expect(await refusalOf(matchesOf({ [`custom.x' or true --`]: 'a' }))).toMatch(/^22023 A field in p_queries/)
    expect(await refusalOf(matchesOf({ [`custom.${tier}`]: 'a' }, 'gus'))).toBe('P0001 NOT_AUTHORIZED')
  })

  it('a filter for equality with a value of a custom field uses the index of custom values', async () => {
    const field = await defineField('text')
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
