import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library?.stop())

interface Case {
  method?: string
  path: string
  body?: string
  headers?: Record<string, string>
  status: number
  code: string
}

const errorCases: Record<string, Case> = {
  'an unknown table': { path: 'boks', status: 404, code: 'PGRST205' },
  'the root': { path: '', status: 404, code: 'PGRST125' },
  'a path below a table': { path: 'books/1', status: 404, code: 'PGRST125' },
  'an unknown column in select': { path: 'books?select=titl', status: 400, code: '42703' },
  'an unknown column in a filter': { path: 'books?foo=eq.1', status: 400, code: '42703' },
  'an unknown column in order': { path: 'books?order=foo', status: 400, code: '42703' },
  'an unknown column in a body': { method: 'POST', path: 'books', body: '{"foo":1}', status: 400, code: 'PGRST204' },
  'an unknown column in on_conflict': {
    method: 'POST',
    path: 'books?on_conflict=foo',
    body: '{"title":"x"}',
    headers: { prefer: 'resolution=merge-duplicates' },
    status: 400,
    code: '42703',
  },
  'an unknown embed': { path: 'books?select=id,nowhere(x)', status: 400, code: 'PGRST200' },
  'an ambiguous embed': { path: 'loans?select=id,authors(name)', status: 300, code: 'PGRST201' },
  'a filter on a table that is not embedded': { path: 'books?authors.name=eq.x', status: 400, code: 'PGRST108' },
  'an order by a to-many embed': { path: 'authors?select=id,books(id)&order=books(id)', status: 400, code: 'PGRST118' },
  'a comparison with an embed': { path: 'books?select=id,authors()&authors=eq.1', status: 400, code: 'PGRST120' },
  'a malformed operator': { path: 'books?id=xx.1', status: 400, code: 'PGRST100' },
  'a malformed select': { path: 'books?select=(', status: 400, code: 'PGRST100' },
  'a malformed order': { path: 'books?order=id.up', status: 400, code: 'PGRST100' },
  'a malformed logic tree': { path: 'books?or=(id.eq.1', status: 400, code: 'PGRST100' },
  'a malformed list': { path: 'books?id=in.1', status: 400, code: 'PGRST100' },
  'broken percent-encoding': { path: 'books?id=eq.%zz', status: 400, code: 'PGRST100' },
  'a negative limit': { path: 'books?limit=-1', status: 416, code: 'PGRST103' },
  'an unknown type': { path: 'books?select=id::bogus', status: 400, code: '42704' },
  'a bad number': { path: 'books?id=eq.abc', status: 400, code: '22P02' },
  'a bad uuid': { path: 'books?shelf=eq.abc', status: 400, code: '22P02' },
  'a bad date': { path: 'books?published=eq.soon', status: 400, code: '22007' },
  'a date out of range': { path: 'books?published=eq.2020-99-99', status: 400, code: '22008' },
  'an operator that the type lacks': { path: 'books?shelf=like.a*', status: 404, code: '42883' },
  'a body that is not JSON': { method: 'POST', path: 'books', body: '{"a"', status: 400, code: 'PGRST102' },
  'another content type': {
    method: 'POST',
    path: 'books',
    body: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'PGRST107',
  },
  'a media type that is not supported': {
    path: 'books',
    headers: { accept: 'text/csv' },
    status: 406,
    code: 'PGRST107',
  },
  'a schema that is not exposed': {
    path: 'books',
    headers: { 'accept-profile': 'auth' },
    status: 406,
    code: 'PGRST106',
  },
  'a missing value': { method: 'POST', path: 'books', body: '{"title":null}', status: 400, code: '23502' },
  'a broken check': { method: 'POST', path: 'books', body: '{"title":""}', status: 400, code: '23514' },
  'a duplicate': { method: 'POST', path: 'books', body: '{"id":1,"title":"x"}', status: 409, code: '23505' },
  'a dangling reference': {
    method: 'POST',
    path: 'books',
    body: '{"title":"x","author_id":77}',
    status: 409,
    code: '23503',
  },
  'NUL in a text': { method: 'POST', path: 'books', body: '{"title":"a\\u0000b"}', status: 400, code: '22P05' },
  'a lone surrogate': { method: 'POST', path: 'books', body: '{"title":"\\ud800"}', status: 400, code: '22P02' },
  'JSON that is nested too deeply for PostgreSQL': {
    method: 'POST',
    path: 'books',
    body: `{"title":"x","meta":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    status: 413,
    code: '54001',
  },
  'a method that is not supported': { method: 'PUT', path: 'books', body: '{}', status: 405, code: 'PGRST117' },
}

describe('refused requests', () => {
  it.each(Object.entries(errorCases))('the request is refused with its error: %s', async (_title, refused) => {
    const response = await send(refused)
    const body = await response.json()
    expect({ status: response.status, code: body.code }).toEqual({ status: refused.status, code: refused.code })
    expect(Object.keys(body).sort()).toEqual(['code', 'details', 'hint', 'message'])
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['PUT', 'books', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'],
    ['PATCH', 'rpc/add', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', 'rpc/add', 'GET, HEAD, POST, OPTIONS'],
    ['GET', 'rpc/add_book?p_title=x', 'POST, OPTIONS'],
  ])('a refusal with 405 says which methods are allowed: %s %s', async (method, path, allowed) => {
    const { status, headers } = await send({ method, path, status: 405, code: '' })
    expect([status, headers.get('allow')]).toEqual([405, allowed])
  })

  it('a refusal of a method that the server does not know says which methods are allowed', async () => {
    const { status, headers } = await send({ method: 'PROPFIND', path: 'books', status: 405, code: '' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'])
  })

  it('the error of a broken check or a missing value does not contain the row', async () => {
    for (const body of ['{"title":""}', '{"title":null}'])
      expect(await (await send({ method: 'POST', path: 'books', body, status: 400, code: '' })).json()).toMatchObject({
        details: null,
      })
  })

  it('a select of count from a table without such a column is refused as an aggregate', async () => {
    for (const select of ['name,books(count)', 'count', 'n:count']) {
      const body = await (await send({ path: `authors?select=${select}`, status: 400, code: '' })).json()
      expect(body).toMatchObject({ code: 'PGRST123', message: 'Use of aggregate functions is not allowed' })
    }
    const filtered = await send({ path: 'authors?count=eq.1', status: 400, code: '' })
    expect(await filtered.json()).toMatchObject({ code: '42703' })
  })

  it.each([
    ['books?select=id&offset=0', 'books?select=id&offset=x', 'PGRST100'],
    ['books?select=id&offset=0', 'books?select=id&offset=-1', 'PGRST103'],
  ])('a refused request gets the same error after the valid request %s: %s', async (validPath, target, code) => {
    expect((await send({ path: validPath, status: 200, code: '' })).status).toBe(200)
    expect(await (await send({ path: target, status: 400, code })).json()).toMatchObject({ code })
  })

  it('an unknown key is refused even if it contains NUL between the names of two columns of an earlier body', async () => {
    const write = { method: 'PATCH', path: 'books?id=eq.1', status: 204, code: '' }
    expect((await send({ ...write, body: '{"title":"The Trial","price":1}' })).status).toBe(204)
    expect(await (await send({ ...write, body: '{"title\\u0000price":1}' })).json()).toMatchObject({ code: 'PGRST204' })
  })

  it('a refused request gets a suggestion of a similar name', async () => {
    const body = await (await send({ path: 'boks', status: 0, code: '' })).json()
    expect(body).toMatchObject({
      message: "Could not find the table 'public.boks' in the schema cache",
      hint: "Perhaps you meant the table 'public.books'",
    })
  })

  it('a request without an API key is refused', async () => {
    const response = await fetch(`${library.server.url}/rest/v1/books`)
    expect(response.status).toBe(401)
  })

  it('a statement that runs too long ends with 504, and the next request is served', async () => {
    const slowCall = await library.service.rpc('sleep', { p_seconds: 30 })
    expect({ status: slowCall.status, code: slowCall.error?.code }).toEqual({ status: 504, code: '57014' })
    expect((await library.service.rpc('add', { a: 1 })).data).toBe(11)
  }, 20_000)
})

describe('a schema that changes', () => {
  it('a database schema that changes is read again soon, without a restart', async () => {
    await library.owner.query('create table public.shelves (id int primary key, label text)')
    await library.owner.query('grant select on public.shelves to service_role')
    await expect
      .poll(async () => (await send({ path: 'shelves', status: 0, code: '' })).status, { timeout: 6000 })
      .toBe(200)
    await library.owner.query("alter table public.shelves add column color text default 'oak'")
    await expect
      .poll(async () => (await send({ path: 'shelves?select=color', status: 0, code: '' })).status, { timeout: 6000 })
      .toBe(200)
  }, 20_000)
})

function send(request: Case): Promise<Response> {
  const { url, secretKey } = library.server
  const { method = 'GET', path, body, headers } = request
  return fetch(`${url}/rest/v1/${path}`, {
    method,
    headers: { apikey: secretKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
}
