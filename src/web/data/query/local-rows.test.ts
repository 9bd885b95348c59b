import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acme, ana, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import type { Contact } from '#web/data/server/rows.ts'
import type { TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { addToQueue } from '#web/data/store/queue.ts'
import { newestFirst } from '#web/data/store/sorted-list.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { contactMatches } from './contact-names.ts'
import { keepSorted, localRows, candidateRows } from './local-rows.ts'
import type { Query } from './query.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const names = ['Anna', 'anna', 'Item 2', 'Item 10', 'Zoë', 'Müller']

const anyChange = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.constantFrom(...ids),
    first_name: fc.constantFrom(...names, null),
    company_id: fc.constantFrom('slate', 'roof', null),
    owner_id: fc.constantFrom(ana, null),
    day: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), id: fc.constantFrom(...ids) }),
  fc.record({ kind: fc.constant('company' as const), name: fc.constantFrom('Slate', 'Aal', 'Zinn') }),
)

const anyQuery: fc.Arbitrary<Query<'contacts'>> = fc.record(
  {
    table: fc.constant('contacts' as const),
    where: fc.record({ owner_id: fc.constantFrom(ana, null) }, { requiredKeys: [] }),
    search: fc.constantFrom('ann', 'item 10', 'muller', 'slate', 'zz'),
    order: fc.constantFrom('newest', 'name', 'company'),
    limit: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: ['table'] },
)

/** Returns the expected ids of a query, without any index: filters all rows, then sorts them. */
function expectedIds(
  data: BrandData,
  { where = {}, search = '', order = 'newest', limit }: Query<'contacts'>,
): string[] {
  const companyOf = (id: string | null) => (id ? (data.tables.companies.get(id)?.name ?? null) : null)
  const words = search.split(' ').filter(Boolean)
  const plain = (text: string) => text.toLowerCase().replaceAll('ü', 'u').replaceAll('ë', 'e')
  const found = [...data.tables.contacts.values()].filter((row) => {
    const text = plain(`${row.first_name ?? ''} ${companyOf(row.company_id) ?? ''}`)
    return (!('owner_id' in where) || row.owner_id === where.owner_id) && words.every((word) => text.includes(word))
  })
  const keyOf = (row: (typeof found)[number]) =>
    order === 'name' ? row.first_name : order === 'company' ? companyOf(row.company_id) : null
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })
  found.sort((a, b) => {
    const [keyOfA, keyOfB] = [keyOf(a), keyOf(b)]
    if (keyOfA !== keyOfB) {
      if (keyOfA === null || keyOfB === null) return keyOfA === null ? 1 : -1
      return collator.compare(keyOfA, keyOfB) || (keyOfA < keyOfB ? -1 : 1)
    }
    return a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1
  })
  return found.map(({ id }) => id).slice(0, limit)
}

let version = 0

function applyChange(
  data: BrandData,
  change: typeof anyChange extends fc.Arbitrary<infer Change> ? Change : never,
): void {
  version += 1
  if (change.kind === 'delete') data.tables.contacts.write([], [change.id])
  else if (change.kind === 'company') putRows(data, 'companies', { id: 'slate', name: change.name, version })
  else {
    const { day, kind: _, ...row } = change
    putRows(data, 'contacts', {
      ...row,
      created_at: `2026-11-0${day}`,
      last_name: null,
      email: null,
      phone: null,
      title: null,
      version,
    })
  }
}

describe('the rows of a query', () => {
  test('the rows of a query are the matching rows in order, whatever changes in between', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'companies', { id: 'slate', name: 'Slate' }, { id: 'roof', name: 'Roof' })
    fc.assert(
      fc.property(fc.array(fc.tuple(anyChange, anyQuery), { minLength: 1, maxLength: 12 }), (steps) => {
        for (const [change, query] of steps) {
          applyChange(data, change)
          expect(localRows(data, query).map(({ id }) => id)).toEqual(expectedIds(data, query))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('the rows of a query are the same list until a row or an order that they depend on changes', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'contacts', { id: 'a', company_id: 'slate' }, { id: 'b', company_id: 'roof' })
    const byCompany = { table: 'contacts', order: 'company' } as const
    const first = localRows(data, byCompany)
    expect(localRows(data, byCompany)).toBe(first)
    putRows(data, 'deals', { id: 'x' })
    expect(localRows(data, byCompany)).toBe(first)
    putRows(data, 'companies', { id: 'slate', name: 'Zinn' }, { id: 'roof', name: 'Aal' })
    expect(localRows(data, byCompany).map(({ id }) => id)).toEqual(['b', 'a'])
  })

  test('the rows of a query include edits made on this device', async () => {
    const { device, data } = await openLoneTab()
    putRows(data, 'contacts', { id: 'a', first_name: 'Zoe' }, { id: 'b', first_name: 'Anna' })
    const byName = { table: 'contacts', order: 'name' } as const
    expect(localRows(data, byName).map(({ id }) => id)).toEqual(['b', 'a'])
    const edit = { userId: ana, brandId: acme, table: 'contacts', rowId: 'a', values: { first_name: 'Aal' } } as const
    await addToQueue(device, testOperation(edit))
    expect(localRows(data, byName).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('the rows of a search are computed once, and again when a searched table has changed', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'contacts', { id: 'a', first_name: 'Owen', company_id: 'slate' }, { id: 'b', first_name: 'Zoe' })
    const search = (text: string) => localRows(data, { table: 'contacts', search: text }).map(({ id }) => id)
    expect([search('owen'), search('owen'), search('slate')]).toEqual([['a'], ['a'], []])
    putRows(data, 'companies', { id: 'slate', name: 'Slate' })
    expect([search('slate'), search('owen')]).toEqual([['a'], ['a']])
  })

  test('the rows of a query respect conditions relative to now', async () => {
    const { data } = await openLoneTab()
    putRows(
      data,
      'tasks',
      { id: 'past', due_at: '2020-01-01T00:00:00Z', title: 'x' },
      { id: 'future', due_at: '2999-01-01T00:00:00Z', title: 'x' },
    )
    const overdue = { table: 'tasks', where: { due_at: { lt: { now: 0 } } }, order: 'due' } as const
    expect(localRows(data, overdue).map(({ id }) => id)).toEqual(['past'])
    expect(localRows(data, { ...overdue, where: { due_at: { gt: { now: 0 } } }, search: 'x' })).toHaveLength(1)
    expect([...candidateRows(data, overdue)]).toHaveLength(2)
  })

  test('a query with an unknown order throws an error', async () => {
    const { data } = await openLoneTab()
    expect(() => localRows(data, { table: 'deals', order: 'age' })).toThrow("The table deals has no order 'age'.")
  })
})

describe('the work of a long list is done once', () => {
  /** Opens a tab that counts in `work` how often a contact is searched and how often two contacts are compared. */
  async function openCounting() {
    const work = { searched: 0, compared: 0 }
    const { definitions } = (await openLoneTab()).data
    const counting = {
      ...definitions,
      contacts: {
        ...definitions.contacts,
        matches: (...given: Parameters<typeof contactMatches>) => {
          work.searched += 1
          return contactMatches(...given)
        },
        orders: {
          newest: {
            compare: () => (a: Contact, b: Contact) => {
              work.compared += 1
              return newestFirst(a, b)
            },
          },
        },
      },
    }
    const { data } = await openLoneTab({ definitions: counting })
    const putContacts = (...ids: string[]) =>
      putRows(data, 'contacts', ...ids.map((id) => ({ id, first_name: id, owner_id: ana })))
    putContacts('a', 'b', 'c')
    const ofOwner = (owner_id: string | null, search = ''): Query<'contacts'> => ({
      table: 'contacts',
      where: { owner_id },
      search,
    })
    return { data, work, putContacts, ofOwner }
  }

  test('the last search in a list is kept, so the same search is computed only once, but again after another search', async () => {
    const { data, work, ofOwner } = await openCounting()
    localRows(data, ofOwner(ana, 'a'))
    const { searched } = work
    localRows(data, ofOwner(ana, 'a'))
    expect([searched, work.searched]).toEqual([3, 3])
    localRows(data, ofOwner(ana, 'b'))
    expect(work.searched).toBe(6)
    localRows(data, ofOwner(ana, 'a'))
    expect(work.searched).toBe(9)
  })

  test('the search results of the last 40 lists are kept, and those of the lists that were used longest ago are dropped', async () => {
    const { data, work, ofOwner } = await openCounting()
    for (let number = 1; number <= 40; number++) localRows(data, ofOwner(`${number}`, 'a'))
    localRows(data, ofOwner(ana, 'a'))
    localRows(data, ofOwner('2', 'a'))
    expect(work.searched).toBe(3)
    localRows(data, ofOwner('x', 'a'))
    localRows(data, ofOwner(ana, 'a'))
    expect(work.searched).toBe(3)
    for (let number = 1; number <= 40; number++) localRows(data, ofOwner(`${number}`, 'a'))
    localRows(data, ofOwner(ana, 'a'))
    expect(work.searched).toBe(6)
  })

  test('`keepSorted` sorts a list, so that the first `localRows` need not sort it', async () => {
    const { data, work, ofOwner } = await openCounting()
    keepSorted(data, ofOwner(ana))
    const { compared } = work
    localRows(data, ofOwner(ana))
    expect([compared > 0, work.compared]).toEqual([true, compared])
  })

  test('`keepSorted` does not sort a list whose table has not been read from the local database', async () => {
    const { data, work, ofOwner } = await openCounting()
    data.tables.contacts.isReady = false
    keepSorted(data, ofOwner(ana))
    expect(work.compared).toBe(0)
  })

  test('a list is no longer updated with each change after 40 other lists were used', async () => {
    const { data, work, putContacts, ofOwner } = await openCounting()
    localRows(data, ofOwner(ana))
    for (let number = 1; number <= 40; number++) localRows(data, ofOwner(`${number}`))
    work.compared = 0
    putContacts('d')
    expect(work.compared).toBe(0)
  })

  test('the first rows of a list are found in one pass, or taken from the sorted list if that is kept', async () => {
    const { data, work, ofOwner } = await openCounting()
    localRows(data, { ...ofOwner(ana), limit: 1 })
    const { compared } = work
    expect(compared).toBe(2)
    localRows(data, ofOwner(ana))
    work.compared = 0
    localRows(data, { ...ofOwner(ana), limit: 1 })
    expect(work.compared).toBe(0)
  })
})

describe('rows are kept sorted', () => {
  /**
   * Returns the number of rows that `candidateRows` returns for a query. Rows of other stages are among them only if the query has no index.
   */
  const countCandidates = (data: BrandData, query: Query<'deals'>) => [...candidateRows(data, query)].length
  const stageQuery = (number: number): Query<'deals'> => ({ table: 'deals', where: { stage_id: `${number}` } })

  test('rows are kept sorted for the 40 queries that were used last', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'deals', { id: 'a', stage_id: '1' }, { id: 'b', stage_id: '2' })
    for (let number = 1; number <= 40; number++) localRows(data, stageQuery(number))
    expect([countCandidates(data, stageQuery(1)), countCandidates(data, stageQuery(2))]).toEqual([1, 1])
    localRows(data, stageQuery(1))
    localRows(data, stageQuery(41))
    expect([
      countCandidates(data, stageQuery(1)),
      countCandidates(data, stageQuery(2)),
      countCandidates(data, stageQuery(3)),
    ]).toEqual([1, 2, 0])
  })

  test('rows are kept sorted after `keepSorted`, but not for a query with a limit or with a condition relative to now', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'deals', { id: 'a', stage_id: '1' }, { id: 'b', stage_id: '2' })
    keepSorted(data, { ...stageQuery(1), limit: 5 })
    expect(countCandidates(data, stageQuery(1))).toBe(2)
    keepSorted(data, { table: 'tasks', where: { due_at: { lt: { now: 0 } } } })
    keepSorted(data, stageQuery(1))
    expect(countCandidates(data, stageQuery(1))).toBe(1)
    expect(localRows(data, { ...stageQuery(1), limit: 5 })).toHaveLength(1)
  })

  test('a list that is kept sorted while its table is being read has all rows after the table has been read', async () => {
    const { data } = await openLoneTab()
    const tables: TableName[] = ['deals']
    for (const table of tables) data.tables[table].isReady = false
    keepSorted(data, stageQuery(1))
    putRows(data, 'deals', { id: 'a', stage_id: '1' })
    await data.tables.deals.endReading(async () => {})
    expect(localRows(data, stageQuery(1)).map(({ id }) => id)).toEqual(['a'])
  })
})
