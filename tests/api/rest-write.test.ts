import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library?.stop())
beforeEach(async () => {
  await library.owner.query('delete from public.books where id > 4')
})

const db = () => library.reader
const storedBooks = async (where: string) =>
  (await library.owner.query(`select * from public.books where ${where} order by id`)).rows

describe('insert', () => {
  it('an insert returns 201 and nothing, or the rows if requested', async () => {
    const plainInsert = await db().from('books').insert({ id: 10, title: 'plain' })
    expect(plainInsert).toMatchObject({ status: 201, data: null, error: null })
    const returned = await db()
      .from('books')
      .insert({ id: 11, title: 'shown', author_id: 2 })
      .select('id,price,authors(name)')
      .single()
    expect(returned).toMatchObject({ status: 201, data: { id: 11, price: 9.5, authors: { name: 'Jorge' } } })
  })

  it('an insert keeps every digit, every character and every kind of value', async () => {
    const title = 'Ünïcødé “quotes” \u{1F600} \\ \' " $1 -- /* */'
    const meta = { deep: [1, { x: null }], big: '9007199254740993' }
    await db()
      .from('books')
      .insert({ id: 12, title, meta, tags: ['a,b', '"q"', '{}'], shelf: null })
    const [row] = await storedBooks('id = 12')
    expect(row).toMatchObject({ title, meta, tags: ['a,b', '"q"', '{}'], shelf: null })
    const response = await raw(
      'POST',
      'books',
      '{"id": 13, "title": "digits", "meta": {"n": 12345678901234567890.123456789}}',
    )
    expect(response.status).toBe(201)
    const { rows } = await library.owner.query("select meta ->> 'n' as n from public.books where id = 13")
    expect(rows[0].n).toBe('12345678901234567890.123456789')
  })

  it('an insert writes a list completely or not at all; an absent key becomes null, or the default on request', async () => {
    const rows = [
      { id: 20, title: 'a' },
      { id: 21, title: 'b', price: 4 },
    ]
    await db().from('books').insert(rows)
    expect(await storedBooks('id in (20, 21)')).toMatchObject([{ price: null }, { price: '4.00' }])
    await library.owner.query('delete from public.books where id in (20, 21)')
    await db().from('books').insert(rows, { defaultToNull: false })
    expect(await storedBooks('id in (20, 21)')).toMatchObject([{ price: '9.50' }, { price: '4.00' }])
    const failed = await db()
      .from('books')
      .insert([
        { id: 22, title: 'good' },
        { id: 23, title: '' },
      ])
    expect(failed.error?.code).toBe('23514')
    expect(await storedBooks('id in (22, 23)')).toEqual([])
  })

  it('an insert of an empty list adds nothing; an empty object is a row without values', async () => {
    expect(await db().from('books').insert([]).select()).toMatchObject({ status: 201, data: [] })
    expect((await db().from('books').insert({})).error?.code).toBe('23502')
  })
})

describe('upsert', () => {
  beforeEach(async () => {
    await library.owner.query("insert into public.books (id, title, isbn) values (30, 'old', 'x30')")
  })

  it('an upsert merges by the primary key or by on_conflict, and returns 201 if rows were added, 200 if all were merged', async () => {
    const merged = await db()
      .from('books')
      .upsert({ isbn: 'x30', title: 'new' }, { onConflict: 'isbn' })
      .select('id,title')
    expect(merged).toMatchObject({ status: 200, data: [{ id: 30, title: 'new' }] })
    const mixed = await db()
      .from('books')
      .upsert(
        [
          { isbn: 'x30', title: 'newer' },
          { isbn: 'x31', title: 'added' },
        ],
        { onConflict: 'isbn' },
      )
    expect(mixed).toMatchObject({ status: 201, data: null })
    const byKey = await db().from('books').upsert({ id: 30, title: 'newest' }).select()
    expect(byKey.status).toBe(200)
    expect(Object.keys(byKey.data?.[0] ?? {})).toContain('in_print')
    expect(Object.keys(byKey.data?.[0] ?? {})).not.toContain('pgrst inserted')
    expect(await storedBooks('id = 30')).toMatchObject([{ title: 'newest', isbn: 'x30' }])
  })

  it('an upsert ignores duplicates on request, and returns the added rows only', async () => {
    const { status, data } = await db()
      .from('books')
      .upsert(
        [
          { isbn: 'x30', title: 'ignored' },
          { isbn: 'x32', title: 'added' },
        ],
        { onConflict: 'isbn', ignoreDuplicates: true },
      )
      .select('title')
    expect({ status, data }).toEqual({ status: 201, data: [{ title: 'added' }] })
    expect(await storedBooks('id = 30')).toMatchObject([{ title: 'old' }])
  })

  it('an upsert with key columns only leaves a known row unchanged and returns it with the new ones', async () => {
    await library.owner.query('delete from public.book_genres where book_id = 3')
    const upsert = (genres: number[]) =>
      db()
        .from('book_genres')
        .upsert(genres.map((genre_id) => ({ book_id: 3, genre_id })))
        .select()
    expect(await upsert([1])).toMatchObject({ status: 201, data: [{ book_id: 3, genre_id: 1 }] })
    const twoLinks = await upsert([1, 2])
    expect(twoLinks.status).toBe(201)
    expect(twoLinks.data).toHaveLength(2)
    expect(await upsert([1, 2])).toMatchObject({ status: 200, error: null, data: [{ genre_id: 1 }, { genre_id: 2 }] })
    const linkWithGenre = await db()
      .from('book_genres')
      .upsert({ book_id: 3, genre_id: 2 })
      .select('genres(name)')
      .single()
    expect(linkWithGenre).toMatchObject({ status: 200, data: { genres: { name: 'fantasy' } } })
    expect((await db().from('book_genres').upsert({ book_id: 3, genre_id: 2 })).error).toBeNull()
    const { rows } = await library.owner.query('select genre_id from public.book_genres where book_id = 3')
    expect(rows).toHaveLength(2)
  })

  it('an upsert refuses a list that names one row twice, with 400', async () => {
    const twice = [
      { isbn: 'x33', title: 'a' },
      { isbn: 'x33', title: 'b' },
    ]
    expect(await db().from('books').upsert(twice, { onConflict: 'isbn' })).toMatchObject({
      status: 400,
      error: { code: '21000' },
    })
  })
})

describe('update and delete', () => {
  beforeEach(async () => {
    await library.owner.query("insert into public.books (id, title, price) values (40, 'one', 1), (41, 'two', 2)")
  })

  it('an update and a delete return 204, or the changed rows; a filter that matches nothing is no error', async () => {
    expect(await db().from('books').update({ title: 'x' }).eq('id', 40)).toMatchObject({
      status: 204,
      data: null,
      error: null,
    })
    const returned = await db()
      .from('books')
      .update({ title: 'y', author_id: 1 })
      .eq('id', 40)
      .select('title,authors(name)')
    expect(returned).toMatchObject({ status: 200, data: [{ title: 'y', authors: { name: 'Ursula' } }] })
    expect(await db().from('books').update({ title: 'z' }).eq('id', 999).select()).toMatchObject({
      status: 200,
      data: [],
    })
    expect(await storedBooks('id in (40, 41)')).toMatchObject([{ title: 'y' }, { title: 'two' }])
  })

  it('an update can set null, and changes nothing with an empty body', async () => {
    await db().from('books').update({ price: null }).eq('id', 40)
    expect(await storedBooks('id = 40')).toMatchObject([{ price: null }])
    expect(await db().from('books').update({}).eq('id', 41).select()).toMatchObject({ data: [] })
    expect(await db().from('books').update({}).eq('id', 41)).toMatchObject({ status: 204, error: null })
  })

  it('an update with an empty body needs no right to change the key', async () => {
    await library.owner.query('revoke update on public.genres from authenticated')
    await library.owner.query('grant update (name) on public.genres to authenticated')
    const genres = () => library.reader.from('genres')
    for (const body of [{}, []]) {
      expect(await genres().update(body).eq('id', 1).select('name')).toMatchObject({ status: 200, data: [] })
      expect(await genres().update(body).eq('id', 1)).toMatchObject({ status: 204, error: null })
    }
    const single = await genres().update({}).eq('id', 1).select().single()
    expect(single.error?.code).toBe('PGRST116')
    const foreign = await library.reader.from('vault').update({}).eq('id', 1)
    expect(foreign.error?.code).toBe('42501')
    expect((await genres().select('name').eq('id', 1)).data).toEqual([{ name: 'sf' }])
  })

  it('an update and a delete write nothing if single() does not match, because the request is refused before the commit', async () => {
    const several = await db().from('books').update({ title: 'lost' }).in('id', [40, 41]).select().single()
    expect(several).toMatchObject({ status: 406, error: { code: 'PGRST116', details: 'The result contains 2 rows' } })
    expect(await storedBooks('id in (40, 41)')).toMatchObject([{ title: 'one' }, { title: 'two' }])
    expect((await db().from('books').delete().in('id', [40, 41]).select().single()).status).toBe(406)
    expect(await storedBooks('id in (40, 41)')).toHaveLength(2)
    const inserted = await db()
      .from('books')
      .insert([
        { id: 42, title: 'a' },
        { id: 43, title: 'b' },
      ])
      .select()
      .single()
    expect(inserted.status).toBe(406)
    expect(await storedBooks('id in (42, 43)')).toEqual([])
  })

  it('an update writes nothing if more rows than max-affected match', async () => {
    const prefer = 'handling=strict,max-affected=1'
    const refusedResponse = await raw('PATCH', 'books?id=in.(40,41)', '{"title":"lost"}', { prefer })
    expect(refusedResponse.status).toBe(400)
    expect(await refusedResponse.json()).toMatchObject({ code: 'PGRST124', details: 'The query affects 2 rows' })
    expect(await storedBooks('id in (40, 41)')).toMatchObject([{ title: 'one' }, { title: 'two' }])
    expect((await raw('PATCH', 'books?id=eq.40', '{"title":"kept"}', { prefer })).status).toBe(204)
  })

  it('an update and a delete return the count of written rows', async () => {
    expect(await db().from('books').update({ title: 'c' }, { count: 'exact' }).in('id', [40, 41])).toMatchObject({
      count: 2,
    })
    expect(await db().from('books').delete({ count: 'exact' }).in('id', [40, 41])).toMatchObject({
      count: 2,
      status: 204,
    })
  })

  it('a delete can return the deleted rows', async () => {
    expect(await db().from('books').delete().eq('id', 40).select('id')).toMatchObject({
      status: 200,
      data: [{ id: 40 }],
    })
    expect(await storedBooks('id = 40')).toEqual([])
  })

  it('a delete refuses a limit instead of deleting all rows', async () => {
    const response = await raw('DELETE', 'books?id=in.(40,41)&limit=1')
    expect(response.status).toBe(400)
    expect(await storedBooks('id in (40, 41)')).toHaveLength(2)
  })

  it('a delete refuses tx=rollback instead of committing', async () => {
    expect((await db().from('books').delete().eq('id', 40).rollback()).error?.code).toBe('PGRST127')
    expect(await storedBooks('id = 40')).toHaveLength(1)
  })
})

describe('row-level security', () => {
  it('row-level security hides rows and refuses writes by the policies', async () => {
    expect((await db().from('notes').select()).data).toEqual([])
    expect(await db().from('notes').update({ words: 'mine' }).eq('id', 1).select()).toMatchObject({ data: [] })
    const foreign = await db().from('notes').insert({ id: 2, reader_id: '00000000-0000-0000-0000-0000000000ff' })
    expect(foreign).toMatchObject({
      status: 403,
      error: { code: '42501', message: 'new row violates row-level security policy for table "notes"' },
    })
    const ownNote = await db()
      .from('notes')
      .insert({ id: 3, reader_id: library.readerId, words: 'mine' })
      .select()
      .single()
    expect(ownNote).toMatchObject({ status: 201, data: { words: 'mine' } })
    expect((await db().from('notes').select('id')).data).toEqual([{ id: 3 }])
    expect((await library.service.from('notes').select('id').order('id')).data).toEqual([{ id: 1 }, { id: 3 }])
  })

  it('row-level security responds with 401 to an anonymous caller without the right', async () => {
    expect(await library.anonymous.from('vault').select()).toMatchObject({ status: 401, error: { code: '42501' } })
    expect(await db().from('vault').select()).toMatchObject({ status: 403, error: { code: '42501' } })
    expect(await library.anonymous.from('notes').insert({ id: 9, reader_id: library.readerId })).toMatchObject({
      status: 401,
      error: { code: '42501' },
    })
  })
})

function raw(method: string, path: string, body?: string, more: Record<string, string> = {}): Promise<Response> {
  const { url, secretKey } = library.server
  const headers = { apikey: secretKey, 'content-type': 'application/json', ...more }
  return fetch(`${url}/rest/v1/${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
}
