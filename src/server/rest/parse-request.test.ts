import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '#server/http/exchange.ts'
import { parseRequest } from './parse-request.ts'
import { bodySlot, offsetSlot } from './request.ts'

type RequestParts = Partial<Omit<HttpRequest, 'body'>> & { body?: string }

function parse({ body = '', ...parts }: RequestParts = {}) {
  const request = { method: 'GET', path: '/rest/v1/books', query: '', headers: {}, ...parts, body: Buffer.from(body) }
  return parseRequest(request as unknown as HttpRequest, 'public', 1000)
}

const refusalCode = (parts: RequestParts) => {
  try {
    parse(parts)
  } catch (error) {
    return (error as { code: string }).code
  }
  return null
}

describe('the target', () => {
  it('the target of a request is a table or a function', () => {
    expect(parse().target).toEqual({ kind: 'relation', name: 'books' })
    expect(parse({ path: '/rest/v1/rpc/add' }).target).toEqual({ kind: 'function', name: 'add' })
    expect(parse({ path: '/rest/v1/b%C3%BCcher' }).target).toEqual({ kind: 'relation', name: 'bücher' })
    expect(parse({ path: '/rest/v1/rpc' }).target).toEqual({ kind: 'relation', name: 'rpc' })
  })

  it.each(['', 'a/b', 'rpc/', 'rpc/a/b', '%zz', '/a', 'x/a'])(
    'the path %j after the prefix is refused as a target',
    (path) => {
      expect(refusalCode({ path: `/rest/v1/${path}` })).toBe('PGRST125')
    },
  )

  it('a table accepts GET, HEAD, POST, PATCH and DELETE; a function accepts only GET, HEAD and POST', () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])
      expect([method, refusalCode({ method, body: '{}' })]).toEqual([method, null])
    for (const method of ['PUT', 'TRACE', 'get', ''])
      expect([method, refusalCode({ method })]).toEqual([method, 'PGRST117'])
    for (const method of ['GET', 'HEAD', 'POST']) expect(refusalCode({ method, path: '/rest/v1/rpc/add' })).toBeNull()
    for (const method of ['PATCH', 'DELETE']) expect(refusalCode({ method, path: '/rest/v1/rpc/add' })).toBe('PGRST101')
  })
})

describe('the window', () => {
  it.each<[string, string | undefined, number, number]>([
    ['', undefined, 0, 1000],
    ['limit=10', undefined, 0, 10],
    ['limit=1000', undefined, 0, 1000],
    ['limit=1001', undefined, 0, 1000],
    ['limit=0', undefined, 0, 0],
    ['limit=1&limit=2', undefined, 0, 2],
    ['offset=5', undefined, 5, 1000],
    ['offset=%2B5', undefined, 5, 1000],
    ['offset=999999999999999999', undefined, Number.MAX_SAFE_INTEGER, 1000],
    ['', '5-9', 5, 5],
    ['', '5-', 5, 1000],
    ['limit=3', '5-9', 5, 3],
    ['limit=30', '5-9', 5, 5],
    ['offset=2&limit=30', '5-', 7, 30],
  ])('the query %j with the header Range %j means offset %i and limit %i', (query, range, offset, limit) => {
    const { window, slots } = parse({ query, headers: { range } })
    expect(window).toEqual({ offset, limit })
    expect(slots[offsetSlot]).toBe(String(offset))
  })

  it('the Range header of a write is ignored', () => {
    expect(parse({ method: 'PATCH', body: '{}', headers: { range: '5-9' } }).window).toEqual({ offset: 0, limit: 1000 })
  })
})

describe('the body', () => {
  it('the body of a request is read for POST and PATCH only', () => {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const { body, slots } = parse({ method, body: '{"a":1}' })
      expect([body, slots[bodySlot]]).toEqual([{ kind: 'none', keys: [] }, ''])
    }
    for (const method of ['POST', 'PATCH']) {
      const { body, slots } = parse({ method, body: '{"a":1}' })
      expect([body, slots[bodySlot]]).toEqual([{ kind: 'object', keys: ['a'] }, '{"a":1}'])
    }
  })

  it('the body of a function call is an object, or empty', () => {
    const call = { method: 'POST', path: '/rest/v1/rpc/add' }
    expect(parse(call)).toMatchObject({ body: { kind: 'object', keys: [] } })
    expect(parse(call).slots[bodySlot]).toBe('{}')
    expect(refusalCode({ ...call, body: '[{"a":1}]' })).toBe('PGRST102')
    expect(refusalCode({ method: 'POST', body: '[{"a":1}]' })).toBeNull()
    expect(refusalCode({ method: 'POST', body: '' })).toBe('PGRST102')
  })

  it('the columns parameter replaces the keys of the body', () => {
    const { body } = parse({ method: 'POST', query: 'columns=a,b', body: '[{"a":1,"c":2}]' })
    expect(body).toEqual({ kind: 'list', keys: ['a', 'b'] })
  })
})

describe('the key of a plan', () => {
  const keyOf = (parts: RequestParts) => parse(parts).key

  it('requests that differ only in their values have the same key', () => {
    expect(keyOf({ query: 'id=eq.1' })).toBe(keyOf({ query: 'id=eq.2' }))
    expect(keyOf({ query: 'offset=1' })).toBe(keyOf({ query: 'offset=2' }))
    const insert = (body: string) => keyOf({ method: 'POST', body })
    expect(insert('{"a":1}')).toBe(insert('{"a":2}'))
  })

  it('requests with different statements or response formats have different keys', () => {
    const keys = [
      {},
      { method: 'HEAD' },
      { method: 'DELETE' },
      { path: '/rest/v1/authors' },
      { query: 'select=id' },
      { query: 'limit=1' },
      { query: 'offset=1' },
      { headers: { accept: 'application/vnd.pgrst.object+json' } },
      { headers: { prefer: 'count=exact' } },
      { method: 'POST', body: '{}' },
      { method: 'POST', body: '[]' },
      { method: 'POST', body: '{"a":1}' },
      { method: 'POST', body: '{"b":1}' },
      { method: 'POST', body: '{"a":1,"b":1}' },
      { method: 'POST', body: '{"ab":1}' },
      { method: 'PATCH', body: '{"a":1}' },
    ].map(keyOf)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('several Prefer headers are read as one', () => {
    const headers = { prefer: ['count=exact', 'return=representation'] } as never
    expect(parse({ headers }).preferences).toMatchObject({ count: true, returnsRows: true })
  })
})

it('a request for a schema that is not exposed is refused', () => {
  expect(refusalCode({ headers: { 'accept-profile': 'auth' } })).toBe('PGRST106')
  expect(refusalCode({ method: 'POST', body: '{}', headers: { 'content-profile': 'auth' } })).toBe('PGRST106')
  expect(refusalCode({ method: 'POST', body: '{}', headers: { 'accept-profile': 'auth' } })).toBeNull()
})
