import { customSort } from '#web/data/query/custom-order.ts'
import type { Condition, Query } from '#web/data/query/query.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { query as runQuery } from './query.ts'
import type { TestServer } from './server.ts'

type Random = () => number

const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** Words that careless implementations sort or compare differently. */
const words = [
  'Anna', 'anna', 'ANNA', 'Änne', 'Zoë', 'zoe', 'Ångström', 'Item 2', 'Item 10', 'item 2', 'Straße', 'Strasse',
  "O'Neil", 'O Neil', '100% Juice', 'a_b', 'É', 'e', 'Łukasz', 'Lukasz', '北京', 'Müller', 'Muller', '-dash', '(bracket)', 'Mueller', 'Søren', 'Soeren', 'Kåre', 'Æsop', 'İstanbul', 'Σίσυφος', 'Σίσυφοσ',
] // biome-ignore format: words in few lines

/** Words that are searched, but not in fields by which lists are sorted: versions of ICU sort their apostrophes differently. */
const apostropheWords = ['O’Neil', 'Oʼneil', '‘Neil′', 'D’Anna']

const phones = [
  '+49 171 2345678',
  '0171/2345678',
  '(020) 7946-0018',
  '+44 20 7946 0018',
  '0049 171 2345678',
  '+49 (0)171 2345',
  '12',
  '555.0100',
]

/** The ids of the rows that `fillBrand` has created. */
export interface FilledBrand {
  stages: readonly string[]
  contacts: readonly string[]
  companies: readonly string[]
  tags: readonly string[]
  /** The ids of the custom fields, by type and table. */
  fields: Readonly<Record<FieldType, Record<CustomTable, string>>>
  /** The id of a retired custom field of each table. */
  retired: Readonly<Record<CustomTable, string>>
}

const fieldTypes = ['choice', 'choices', 'yes_no', 'number', 'money', 'date', 'text', 'link'] as const
type FieldType = (typeof fieldTypes)[number]
const customTables = ['contacts', 'companies', 'deals'] as const
type CustomTable = (typeof customTables)[number]
const options = ['gold', 'silver', 'a,b'] as const

/** Fills a brand with random rows: names that are difficult to sort and compare, empty and equal values. */
export async function fillBrand(
  server: TestServer,
  random: Random,
  { brandId, userId }: { brandId: string; userId: string },
): Promise<FilledBrand> {
  const name = () => `${pick(random, words)}${random() < 0.5 ? ` ${pick(random, words)}` : ''}`
  const unsortedName = () => (random() < 0.3 ? pick(random, apostropheWords) : name())
  const maybe = <Value>(value: () => Value) => (random() < 0.3 ? null : value())
  const randomTime = () => new Date(Date.UTC(2026, 10, 1) + Math.floor(random() * 40) * 3_600_000).toISOString()
  const insertRows = async (text: string, rows: readonly unknown[][]) => {
    const createdIds: string[] = []
    for (const row of rows)
      createdIds.push((await runQuery<{ id: string }>(server, text, brandId, ...row))[0]?.id ?? '')
    return createdIds
  }
  const rowsOf = <Row>(count: number, row: (index: number) => Row) =>
    Array.from({ length: count }, (_, index) => row(index))
  const stages = (
    await runQuery<{ id: string }>(server, 'select id from deal_stages where brand_id = $1 order by position', brandId)
  ).map(({ id }) => id)
  const tags = await insertRows(
    'insert into tags (brand_id, name) values ($1, $2) returning id',
    rowsOf(5, (index) => [`Tag ${index}`]),
  )
  const defineField = async (table: string, type: string) =>
    (
      await insertRows(
        'insert into custom_fields (brand_id, "table", label, type, options) values ($1, $2, $3, $3, $4) returning id',
        [[table, type, JSON.stringify(options)]],
      )
    )[0] ?? ''
  const fields = Object.fromEntries(
    await Promise.all(
      fieldTypes.map(
        async (type) =>
          [
            type,
            {
              contacts: await defineField('contacts', type),
              companies: await defineField('companies', type),
              deals: await defineField('deals', type),
            },
          ] as const,
      ),
    ),
  ) as FilledBrand['fields']
  const [retiredContactField = '', retiredCompanyField = '', retiredDealField = ''] = await insertRows(
    `insert into custom_fields (brand_id, "table", label, type, retired_at) values ($1, $2, 'Out of use', 'number', now()) returning id`,
    customTables.map((table) => [table]),
  )
  const retired = { contacts: retiredContactField, companies: retiredCompanyField, deals: retiredDealField }
  const customOf = (table: CustomTable) => {
    const values: Record<FieldType, () => unknown> = {
      choice: () => pick(random, options),
      choices: () => options.filter(() => random() < 0.4),
      yes_no: () => random() < 0.5,
      number: () => Math.floor(random() * 100) / 4,
      money: () => Math.floor(random() * 20_000 - 5_000) / 100,
      date: () => randomTime().slice(0, 10),
      text: name,
      link: () => `https://${pick(random, ['a.test', 'A.test', 'b-c.test'])}/${Math.floor(random() * 12)}`,
    }
    const filledTypes = fieldTypes.filter(() => random() < 0.6)
    const customEntries = filledTypes.map((type) => [fields[type][table], values[type]()] as const)
    return JSON.stringify(Object.fromEntries([...customEntries, [retired[table], Math.floor(random() * 9)]]))
  }
  const randomTags = () => tags.filter(() => random() < 0.3)
  const companies = await insertRows(
    'insert into companies (brand_id, name, domain, website, owner_id, created_at, tag_ids, custom) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id',
    rowsOf(30, () => [
      name(),
      maybe(unsortedName),
      maybe(unsortedName),
      maybe(() => userId),
      randomTime(),
      randomTags(),
      customOf('companies'),
    ]),
  )
  const contacts = await insertRows(
    `insert into contacts (brand_id, first_name, last_name, email, company_id, owner_id, created_at, phone, title, tag_ids, custom)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    rowsOf(60, (index) => [
      maybe(name), maybe(name), `${index}${pick(random, ['A', 'b', 'C'])}@x.test`, maybe(() => pick(random, companies)),
      maybe(() => userId), randomTime(), maybe(() => pick(random, phones)), maybe(unsortedName), randomTags(), customOf('contacts'),
    ]), // biome-ignore format: one value per column
  )
  const deals = await insertRows(
    `insert into deals (brand_id, name, amount, amount_currency, stage_id, contact_id, company_id, owner_id, expected_close_date, created_at, tag_ids, custom)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    rowsOf(90, () => [
      name(), Math.floor(random() * 100_000) / 100, pick(random, ['GBP', 'EUR', 'USD']), pick(random, stages),
      maybe(() => pick(random, contacts)), maybe(() => pick(random, companies)), maybe(() => userId),
      maybe(() => randomTime().slice(0, 10)), randomTime(), randomTags(), customOf('deals'),
    ]), // biome-ignore format: one value per column
  )
  await insertRows(
    `insert into tasks (brand_id, title, due_at, status, completed_at, contact_id, deal_id, assignee_id, created_at)
     values ($1, $2, $3, $4, case when $4 = 'done' then now() - random() * interval '9 days' end, $5, $6, $7, $8) returning id`,
    rowsOf(60, () => [
      name(), maybe(() => new Date(Date.now() + (random() - 0.5) * 20 * 86_400_000).toISOString()),
      pick(random, ['open', 'done']), maybe(() => pick(random, contacts)), maybe(() => pick(random, deals)),
      maybe(() => userId), randomTime(),
    ]), // biome-ignore format: one value per column
  )
  return { stages, contacts, companies, tags, fields, retired }
}

const orders: Record<string, readonly string[]> = {
  deals: ['newest', 'name', 'closing'],
  contacts: ['newest', 'name', 'email', 'company'],
  companies: ['newest', 'name'],
  tasks: ['newest', 'due'],
}

/** Returns a random query of a brand that `fillBrand` has filled. `only`: the table to query; default: a random one. */
export function randomQuery(
  random: Random,
  userId: string,
  { stages, contacts, companies, tags, fields, retired }: FilledBrand,
  only?: TableName,
): Query {
  const table = only ?? (pick(random, Object.keys(orders)) as TableName)
  const randomTime = () => new Date(Date.UTC(2026, 10, 1) + Math.floor(random() * 40) * 3_600_000).toISOString()
  const tag_ids = () => ({ has: tags.filter(() => random() < 0.3) })
  const custom = (table: CustomTable): Record<string, () => Condition> => {
    const conditionOfType: Record<FieldType, () => Condition> = {
      choice: () => pick(random, ['gold', ['silver', 'a,b'], null, []] as Condition[]),
      choices: () => ({ has: options.filter(() => random() < 0.5) }),
      yes_no: () => pick(random, [true, [false], { not: null }] as Condition[]),
      number: () =>
        pick(random, [{ gte: 5, lt: 12.25 }, { gte: 7.5, lte: 12.25 }, 7.5, { gt: 'a' }, {}] as Condition[]),
      money: () =>
        pick(random, [{ gte: -20, lte: 100.25 }, { lte: 0 }, { gte: -1e12 }, { gte: 5, lte: 4 }] as Condition[]),
      date: () =>
        pick(random, [
          { gt: '2026-11-01' },
          { lte: '2026-11-02' },
          { gte: '2026-11-02', lte: '2026-11-02' },
          { gte: 'x', lte: '2026' },
          { not: null },
        ] as Condition[]),
      text: () => pick(random, [{ not: null }, null] as Condition[]),
      link: () => pick(random, [{ not: null }, null] as Condition[]),
    }
    return Object.fromEntries(fieldTypes.map((type) => [`custom.${fields[type][table]}`, conditionOfType[type]]))
  }
  const conditions: Record<string, Record<string, () => Condition>> = {
    deals: {
      stage_id: () => (random() < 0.5 ? pick(random, stages) : [pick(random, stages), pick(random, stages)]),
      owner_id: () => pick(random, [userId, null]),
      contact_id: () => pick(random, [pick(random, contacts), null]),
      company_id: () => pick(random, companies),
      expected_close_date: () =>
        pick(random, [
          { not: null },
          { gte: '2026-11-01', lt: '2026-11-02' },
          { gte: '2026-11-01', lt: '2026-12-01' },
          null,
        ] as Condition[]),
      amount: () => ({ gt: 100, lte: 700 }),
      tag_ids,
      ...custom('deals'),
    },
    contacts: {
      owner_id: () => pick(random, [userId, null]),
      company_id: () => pick(random, [pick(random, companies), null]),
      created_at: () => ({ gt: randomTime() }),
      tag_ids,
      ...custom('contacts'),
    },
    companies: { owner_id: () => userId, created_at: () => ({ lte: randomTime() }), tag_ids, ...custom('companies') },
    tasks: {
      status: () => pick(random, ['open', 'done', ['open', 'done']]),
      due_at: () =>
        pick(random, [{ lt: { now: 0 } }, { gte: { now: 0 }, lte: { now: 604_800 } }, { not: null }] as Condition[]),
      assignee_id: () => pick(random, [userId, null]),
      contact_id: () => pick(random, contacts),
    },
  }
  const where: Record<string, Condition> = {}
  for (const [column, condition] of Object.entries(conditions[table] ?? {}))
    if (random() < 0.15) where[column] = condition()
  const isDone = table === 'tasks' && where.status === 'done'
  const search = random() < 0.4 ? randomSearch(random) : ''
  const customTable = customTables.find((each) => each === table)
  const order =
    customTable && random() < 0.6
      ? randomOrder(random, fields, retired, customTable)
      : pick(random, orders[table] ?? [])
  return { table, where, search, order: isDone ? 'completed' : order }
}

/** Returns an order by a custom field, ascending or descending. Sometimes the field is retired: then the order has no effect. */
function randomOrder(
  random: Random,
  fields: FilledBrand['fields'],
  retired: FilledBrand['retired'],
  table: CustomTable,
): string {
  const type = pick(
    random,
    fieldTypes.filter((each) => each !== 'choices'),
  )
  return customSort(random() < 0.1 ? retired[table] : fields[type][table], random() < 0.5)
}

/** Returns one to three parts of words or telephone numbers, sometimes in capitals or with decomposed accents. */
export function randomSearch(random: Random): string {
  const part = () => {
    const word = pick(random, random() < 0.2 ? phones : [...words, ...apostropheWords])
    const from = Math.floor(random() * word.length)
    return word.slice(from, from + 1 + Math.floor(random() * 5))
  }
  const text = Array.from({ length: 1 + Math.floor(random() ** 2 * 3) }, part).join(' ')
  return random() < 0.2 ? text.toUpperCase() : random() < 0.2 ? text.normalize('NFD') : text
}
