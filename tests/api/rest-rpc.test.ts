import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library?.stop())

const db = () => library.reader
const countOfTitle = async (title: string) =>
  (await library.owner.query('select id from public.books where title = $1', [title])).rowCount

describe('calling functions', () => {
  it('a function call accepts named arguments and adds defaults, by POST and by GET', async () => {
    expect((await db().rpc('add', { a: 1 })).data).toBe(11)
    expect((await db().rpc('add', { b: 5, a: 1 })).data).toBe(6)
    expect((await db().rpc('add', { a: 2, b: 3 }, { get: true })).data).toBe(5)
  })

  it('a function call returns a value bare, no value as 204, rows as a list, and one row as an object', async () => {
    expect(await db().rpc('nothing')).toMatchObject({ status: 204, data: null, error: null })
    expect((await db().rpc('words')).data).toEqual(['a', 'b'])
    expect((await db().rpc('pairs', { n: 2 })).data).toEqual([
      { k: 1, v: 'v1' },
      { k: 2, v: 'v2' },
    ])
    expect((await db().rpc('one_book', { p_id: 3 })).data).toMatchObject({ title: 'Ficciones' })
  })

  it('a function call passes JSON, dates, lists and numbers with every digit', async () => {
    const { data } = await db().rpc('echo', { j: { x: [1, null] }, d: '2020-02-29', t: ['a', 'b,c'], s: 'eq.x' })
    expect(data).toEqual({ j: { x: [1, null] }, d: '2020-02-29', n: null, t: ['a', 'b,c'], s: 'eq.x' })
    const digits = await postCall('echo', '{"j": null, "n": 12345678901234567890.123456789}')
    expect(await digits.text()).toContain('12345678901234567890.123456789')
  })

  it('a function call works the same however its path is spelled', async () => {
    const { url, secretKey } = library.server
    const target = `${url}/rest/v1/r%70c/where_am_%69`
    const response = await fetch(target, { method: 'POST', headers: { apikey: secretKey } })
    expect(await response.json()).toBe('/rest/v1/rpc/where_am_i')
  })

  it('a function call treats an argument that looks like a filter as a plain value', async () => {
    expect((await db().rpc('echo', { j: 1, s: 'eq.x' }, { get: true })).data).toMatchObject({ s: 'eq.x' })
  })

  it('a function call can filter, order, select and embed the rows of the function', async () => {
    const { data, count, status } = await db()
      .rpc('books_by', { p_author: 1 }, { count: 'exact' })
      .select('title,authors(name)')
      .order('title')
      .limit(1)
    expect({ data, count, status }).toEqual({
      data: [{ title: 'Lathe, "of" Heaven (1971)', authors: { name: 'Ursula' } }],
      count: 2,
      status: 206,
    })
    expect((await db().rpc('pairs', { n: 5 }).gt('k', 3).select('v')).data).toEqual([{ v: 'v4' }, { v: 'v5' }])
    const byGet = await db().rpc('books_by', { p_author: 1 }, { get: true }).select('id').lt('price', 10)
    expect(byGet.data).toEqual([{ id: 2 }])
  })

  it('a function that may write is refused by GET and HEAD before it runs', async () => {
    // `fail` raises an error whenever it runs.
    const args = { p_code: 'P0001', p_message: 'It ran' }
    const byGet = await db().rpc('fail', args, { get: true })
    expect(byGet).toMatchObject({
      status: 405,
      error: {
        code: '25006',
        message: 'cannot execute fail in a read-only transaction',
        details: null,
        hint: 'Call this function by POST.',
      },
    })
    expect((await db().rpc('fail', args, { head: true })).status).toBe(405)
    expect((await db().rpc('fail', args)).error?.message).toBe('It ran')
    const { status, error } = await db().rpc('add_book', { p_title: 'by GET' }, { get: true })
    expect({ status, code: error?.code }).toEqual({ status: 405, code: '25006' })
    expect(await countOfTitle('by GET')).toBe(0)
    expect((await db().rpc('add_book', { p_title: 'by POST' })).data).toBeGreaterThan(0)
    expect(await countOfTitle('by POST')).toBe(1)
  })

  it('a stable function that calls a function which writes is refused by GET when it writes', async () => {
    const { status, error } = await db().rpc('add_book_inside', { p_title: 'inside' }, { get: true })
    expect({ status, code: error?.code }).toEqual({ status: 405, code: '25006' })
    expect(await countOfTitle('inside')).toBe(0)
  })

  it('a function call writes nothing if single() does not match', async () => {
    const { status, error } = await db().rpc('two_books', { p_title: 'twice' }).single()
    expect({ status, code: error?.code }).toEqual({ status: 406, code: 'PGRST116' })
    expect(await countOfTitle('twice')).toBe(0)
  })

  it('a function call returns raised errors with their status', async () => {
    expect(await db().rpc('fail', { p_code: 'P0001', p_message: 'NOT_AUTHORIZED' })).toMatchObject({
      status: 400,
      error: { code: 'P0001', message: 'NOT_AUTHORIZED', details: 'the detail', hint: 'the hint' },
    })
    expect(await db().rpc('fail', { p_code: 'PT409', p_message: 'already applied' })).toMatchObject({
      status: 409,
      error: { code: 'PT409', message: 'already applied', details: 'the detail' },
    })
    const inner = await db().rpc('fail', { p_code: 'XX000', p_message: 'inner workings' })
    expect(inner.status).toBe(500)
    expect(JSON.stringify(inner.error)).not.toContain('inner workings')
  })

  it('a function call refuses unknown names, unknown or missing arguments and ambiguous ones', async () => {
    for (const [name, args] of [
      ['ad', { a: 1 }],
      ['add', { b: 1 }],
      ['add', { a: 1, c: 2 }],
      ['trigger_only', {}],
    ] as const) {
      expect(await db().rpc(name, args), name).toMatchObject({ status: 404, error: { code: 'PGRST202' } })
    }
    expect((await db().rpc('ad', { a: 1 })).error?.hint).toBe('Perhaps you meant to call the function public.add(a, b)')
    expect(await db().rpc('overloaded', { a: 1 })).toMatchObject({ status: 300, error: { code: 'PGRST203' } })
    expect((await postCall('add', '[1]')).status).toBe(400)
    const { url, secretKey } = library.server
    expect((await fetch(`${url}/rest/v1/rpc/add`, { method: 'DELETE', headers: { apikey: secretKey } })).status).toBe(
      405,
    )
  })

  it('a function call lets SQL read the idempotency key of the request', async () => {
    const { url, secretKey } = library.server
    const headers = { apikey: secretKey, 'idempotency-key': 'k-"1"' }
    const response = await fetch(`${url}/rest/v1/rpc/idempotency_key`, { method: 'POST', headers })
    expect(await response.json()).toBe('k-"1"')
  })

  it('a function call with an empty idempotency key counts as one without a key', async () => {
    const { url, secretKey } = library.server
    const headers = { apikey: secretKey, 'idempotency-key': '' }
    const response = await fetch(`${url}/rest/v1/rpc/idempotency_key`, { method: 'POST', headers })
    expect(await response.json()).toBeNull()
  })
})

function postCall(name: string, body: string): Promise<Response> {
  const { url, secretKey } = library.server
  const headers = { apikey: secretKey, 'content-type': 'application/json' }
  return fetch(`${url}/rest/v1/rpc/${name}`, { method: 'POST', headers, body })
}
