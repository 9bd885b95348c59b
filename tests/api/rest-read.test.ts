import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library?.stop())

const db = () => library.reader
const firstFourBooks = () => db().from('books').select('id').lte('id', 4).order('id')
const ids = (found: unknown) => (found as { id: number }[]).map((row) => row.id)

describe('selecting', () => {
  it('a select returns numbers as numbers, dates as dates, and timestamps with their offset', async () => {
    const { data } = await db().from('books').select('*').eq('id', 1).single()
    expect(data).toEqual({
      id: 1,
      title: 'The Dispossessed',
      author_id: 1,
      price: 12.5,
      tags: ['sf', 'anarchy'],
      meta: { pages: 300, lang: 'en', a: [1, 2] },
      published: '2020-01-02T03:04:05+00:00',
      isbn: 'i1',
      shelf: '00000000-0000-0000-0000-000000000001',
      in_print: true,
    })
  })

  it('a select renames, casts and reaches into JSON', async () => {
    const { data } = await db()
      .from('books')
      .select('t:title,price::text,meta->pages,l:meta->>lang,meta->a->1')
      .eq('id', 1)
    expect(data).toEqual([{ t: 'The Dispossessed', price: '12.50', pages: 300, l: 'en', a: 2 }])
  })

  it('a select embeds a to-one relation as an object or null and a to-many relation as a list, also through a junction table', async () => {
    const { data } = await db()
      .from('books')
      .select('id,author:authors(name),reviews(stars),genres(name),covers(color)')
      .lte('id', 4)
      .neq('id', 3)
      .order('id')
      .order('id', { referencedTable: 'reviews' })
    expect(data).toEqual([
      {
        id: 1,
        author: { name: 'Ursula' },
        reviews: [{ stars: 5 }, { stars: 3 }],
        genres: [{ name: 'sf' }],
        covers: { color: 'red' },
      },
      { id: 2, author: { name: 'Ursula' }, reviews: [], genres: [{ name: 'sf' }, { name: 'fantasy' }], covers: null },
      { id: 4, author: null, reviews: [], genres: [], covers: null },
    ])
  })

  it('a select filters, orders and limits inside an embed; only an inner embed removes parent rows', async () => {
    const plainEmbed = await db()
      .from('books')
      .select('id,authors(name)')
      .eq('authors.name', 'Jorge')
      .lte('id', 4)
      .order('id')
    expect(plainEmbed.data).toEqual([
      { id: 1, authors: null },
      { id: 2, authors: null },
      { id: 3, authors: { name: 'Jorge' } },
      { id: 4, authors: null },
    ])
    const inner = await db().from('books').select('id,authors!inner(name)').eq('authors.name', 'Jorge')
    expect(inner.data).toEqual([{ id: 3, authors: { name: 'Jorge' } }])
    const nested = await db()
      .from('authors')
      .select('name,books(title,reviews(stars))')
      .order('id')
      .order('title', { referencedTable: 'books', ascending: false })
      .limit(1, { referencedTable: 'books' })
    expect(nested.data?.[0]).toEqual({
      name: 'Ursula',
      books: [{ title: 'The Dispossessed', reviews: expect.any(Array) }],
    })
  })

  it('a select accepts a foreign key, its column or its name as the hint for an embed', async () => {
    for (const select of [
      'authors!lender(name)',
      'authors!loans_lender_fkey(name)',
      'lender(name)',
      'a:loans_lender_fkey(name)',
    ]) {
      const { error } = await db().from('loans').select(`id,${select}`)
      expect(error, select).toBeNull()
    }
  })

  it('a select filters by whether an embed exists', async () => {
    const withoutReviews = await db().from('books').select('id,reviews()').is('reviews', null).lte('id', 4).order('id')
    expect(withoutReviews.data).toEqual([{ id: 2 }, { id: 4 }])
    const withReviews = await db().from('books').select('id,reviews()').not('reviews', 'is', null).order('id')
    expect(withReviews.data).toEqual([{ id: 1 }, { id: 3 }])
  })

  it('a select reads a view', async () => {
    const { data } = await db().from('cheap_books').select('id').order('id').lte('id', 4)
    expect(ids(data)).toEqual([2, 3, 4])
  })
})

const idsFound = async (
  filter: (query: ReturnType<typeof firstFourBooks>) => PromiseLike<{ data: unknown; error: unknown }>,
) => {
  const { data, error } = await filter(firstFourBooks())
  expect(error).toBeNull()
  return ids(data)
}

describe('filtering', () => {
  it('a filter compares values', async () => {
    expect(await idsFound((q) => q.eq('title', 'Orphan'))).toEqual([4])
    expect(await idsFound((q) => q.neq('author_id', 1))).toEqual([3])
    expect(await idsFound((q) => q.gt('price', 7.25).lt('price', 12.5))).toEqual([2])
    expect(await idsFound((q) => q.gte('published', '2020-01-01').lte('published', '2020-01-31'))).toEqual([1])
    expect(await idsFound((q) => q.isDistinct('author_id', 1))).toEqual([3, 4])
  })

  it('a filter matches patterns, with % and with *', async () => {
    expect(await idsFound((q) => q.like('title', 'F%'))).toEqual([3])
    expect(await idsFound((q) => q.ilike('title', '*HEAVEN*'))).toEqual([2])
    expect(await idsFound((q) => q.likeAnyOf('title', ['F%', 'O%']))).toEqual([3, 4])
    expect(await idsFound((q) => q.ilikeAllOf('title', ['%o%', '%p%']))).toEqual([1, 4])
    expect(await idsFound((q) => q.filter('title', 'match', '^[FO]'))).toEqual([3, 4])
    expect(await idsFound((q) => q.filter('title', 'imatch', '^f'))).toEqual([3])
  })

  it('a filter accepts lists whose values contain commas and parentheses, and escaped quotes', async () => {
    expect(await idsFound((q) => q.in('title', ['Orphan', 'The Rake (1733, first)', 'Ficciones']))).toEqual([3, 4])
    expect(await idsFound((q) => q.filter('title', 'in', '(Orphan,"Lathe, \\"of\\" Heaven (1971)")'))).toEqual([2, 4])
    expect(await idsFound((q) => q.in('id', [1, 3]))).toEqual([1, 3])
    expect(await idsFound((q) => q.in('id', []))).toEqual([])
    expect(await idsFound((q) => q.not('id', 'in', '(1,3)'))).toEqual([2, 4])
  })

  it('a filter compares with null, true and false', async () => {
    expect(await idsFound((q) => q.is('author_id', null))).toEqual([4])
    expect(await idsFound((q) => q.not('author_id', 'is', null))).toEqual([1, 2, 3])
    expect(await idsFound((q) => q.is('in_print', true))).toEqual([1, 2, 3, 4])
    expect(await idsFound((q) => q.is('in_print', false))).toEqual([])
  })

  it('a filter looks inside arrays and JSON', async () => {
    expect(await idsFound((q) => q.contains('tags', ['sf']))).toEqual([1, 2])
    expect(await idsFound((q) => q.containedBy('tags', ['sf']))).toEqual([2, 3, 4])
    expect(await idsFound((q) => q.overlaps('tags', ['anarchy', 'x']))).toEqual([1])
    expect(await idsFound((q) => q.contains('meta', { lang: 'en' }))).toEqual([1])
    expect(await idsFound((q) => q.eq('meta->>lang', 'en'))).toEqual([1])
    expect(await idsFound((q) => q.eq('meta->pages', '200'))).toEqual([2])
  })

  it('a filter searches words', async () => {
    expect(await idsFound((q) => q.textSearch('title', 'ficciones'))).toEqual([3])
    expect(await idsFound((q) => q.textSearch('title', 'the orphans', { type: 'plain', config: 'english' }))).toEqual([
      4,
    ])
    expect(await idsFound((q) => q.textSearch('title', 'heaven -orphan', { type: 'websearch' }))).toEqual([2])
  })

  it('a filter combines conditions with or, and, not, and joins repeated parameters with AND', async () => {
    expect(await idsFound((q) => q.or('id.eq.1,and(price.gt.5,price.lt.8),title.like.Orp*'))).toEqual([1, 3, 4])
    expect(await idsFound((q) => q.or('id.eq.1,id.eq.2').or('id.eq.2,id.eq.3'))).toEqual([2])
    expect(await idsFound((q) => q.or('id.in.(1,2),not.and(id.lt.4,id.gt.0)'))).toEqual([1, 2, 4])
    expect(await idsFound((q) => q.or('title.eq."Lathe, \\"of\\" Heaven (1971)",author_id.is.null'))).toEqual([2, 4])
  })
})

const idsInOrder = async (column: string, options?: { ascending?: boolean; nullsFirst?: boolean }) =>
  ids((await db().from('books').select('id,authors(name)').lte('id', 4).order(column, options).order('id')).data)

describe('ordering', () => {
  it('an order puts nulls last ascending and first descending, unless requested otherwise', async () => {
    expect(await idsInOrder('author_id')).toEqual([1, 2, 3, 4])
    expect(await idsInOrder('author_id', { ascending: false })).toEqual([4, 3, 1, 2])
    expect(await idsInOrder('author_id', { ascending: false, nullsFirst: false })).toEqual([3, 1, 2, 4])
    expect(await idsInOrder('author_id', { nullsFirst: true })).toEqual([4, 1, 2, 3])
  })

  it('an order may name a column of an embedded row', async () => {
    expect(await idsInOrder('authors(name)')).toEqual([3, 1, 2, 4])
  })
})

const readBooks = (count: 'exact' | undefined, head = false) =>
  db()
    .from('books')
    .select('id', count ? { count, head } : { head })
    .lte('id', 4)
    .order('id')

describe('pages and counts', () => {
  it('a page has the count of all matching rows beside it, and the status 206 for a part, 200 for the whole', async () => {
    const part = await readBooks('exact').range(1, 2)
    expect(part).toMatchObject({ status: 206, count: 4, data: [{ id: 2 }, { id: 3 }] })
    expect(await readBooks('exact')).toMatchObject({ status: 200, count: 4 })
    expect(await readBooks('exact').range(3, 9)).toMatchObject({ status: 206, count: 4, data: [{ id: 4 }] })
    expect(await readBooks('exact').eq('id', 99)).toMatchObject({ status: 200, count: 0, data: [] })
    expect(await readBooks(undefined).limit(2)).toMatchObject({ status: 200, count: null })
  })

  it('a request with HEAD gets the count and no body', async () => {
    expect(await readBooks('exact', true)).toMatchObject({ status: 200, count: 4, data: null })
    expect(await readBooks('exact', true).range(0, 1)).toMatchObject({ status: 206, count: 4 })
    const { url, secretKey } = library.server
    const head = await fetch(`${url}/rest/v1/books`, { method: 'HEAD', headers: { apikey: secretKey } })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, null])
  })

  it('an offset beyond the total is refused', async () => {
    const { status, error } = await readBooks('exact').range(10, 20)
    expect(status).toBe(416)
    expect(error).toMatchObject({
      code: 'PGRST103',
      details: 'An offset of 10 was requested, but there are only 4 rows.',
    })
  })

  it('a page follows the header Range', async () => {
    const response = await raw('books?select=id&order=id', { range: '1-2', prefer: 'count=exact' })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toMatch(/^1-2\/\d+$/)
    expect(ids(await response.json())).toEqual([2, 3])
  })

  it('a page never has more rows than MAX_ROWS', async () => {
    const small = await startLibrary({ MAX_ROWS: '2' })
    try {
      const { data, count, status } = await small.reader.from('books').select('id', { count: 'exact' }).limit(3)
      expect({ rows: data?.length, count, status }).toEqual({ rows: 2, count: 4, status: 206 })
    } finally {
      await small.stop()
    }
  })
})

describe('one row', () => {
  it('one row is returned as an object by single(); a request for no row or several gets 406', async () => {
    const book = await db().from('books').select('id').eq('id', 1).single()
    expect(book.data).toEqual({ id: 1 })
    for (const [query, rows] of [
      [db().from('books').select('id').eq('id', 99).single(), 0],
      [db().from('books').select('id').lte('id', 4).single(), 4],
    ] as const) {
      expect(await query).toMatchObject({
        status: 406,
        error: {
          code: 'PGRST116',
          message: 'Cannot coerce the result to a single JSON object',
          details: `The result contains ${rows} rows`,
        },
      })
    }
  })

  it('a missing row is returned as null by maybeSingle()', async () => {
    expect(await db().from('books').select('id').eq('id', 99).maybeSingle()).toMatchObject({ data: null, error: null })
  })
})

function raw(path: string, headers: Record<string, string>): Promise<Response> {
  const { url, secretKey } = library.server
  return fetch(`${url}/rest/v1/${path}`, { headers: { apikey: secretKey, ...headers } })
}
