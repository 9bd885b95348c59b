import { describe, expect, it } from 'vitest'
import { parseAccept, parsePreferences } from './parse-headers.ts'
import { type RestResult, type ResponseFormat, respond } from './respond.ts'

const jsonType = 'application/json; charset=utf-8'

function format(
  kind: ResponseFormat['kind'],
  prefer = '',
  more: Partial<ResponseFormat> & { type?: string } = {},
): ResponseFormat {
  const { type, ...rest } = more
  return {
    kind,
    accept: parseAccept(type),
    preferences: parsePreferences(prefer),
    headOnly: false,
    isVoid: false,
    ...rest,
  }
}
const rows = (rowCount: number, total: number | null = null, inserted: number | null = null): RestResult => ({
  body: '[…]',
  rowCount,
  total,
  inserted,
})
const all = { offset: 0, limit: null }

describe('a read', () => {
  it.each<[string, RestResult, { offset: number; limit: number | null }, number, string]>([
    ['', rows(3), all, 200, '0-2/*'],
    ['', rows(3), { offset: 10, limit: 3 }, 200, '10-12/*'],
    ['', rows(0), all, 200, '*/*'],
    ['count=exact', rows(3, 3), all, 200, '0-2/3'],
    ['count=exact', rows(3, 9), { offset: 6, limit: 3 }, 206, '6-8/9'],
    ['count=exact', rows(0, 0), all, 200, '*/0'],
    ['count=exact', rows(0, 9), { offset: 9, limit: null }, 206, '*/9'],
    ['count=exact', rows(3), all, 200, '0-2/3'],
  ])(
    'a read with the preference %j, the result %j and the window %j gets status %i and Content-Range %s',
    (prefer, result, window, status, range) => {
      const response = respond(format('read', prefer), result, window)
      expect([response.status, response.headers?.['Content-Range'], response.body]).toEqual([status, range, '[…]'])
      expect(response.headers?.['Content-Type']).toBe(jsonType)
    },
  )

  it('a read with an offset greater than the number of rows is refused if the rows were counted', () => {
    let error: unknown
    try {
      respond(format('read', 'count=exact'), rows(0, 9), { offset: 10, limit: null })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      status: 416,
      code: 'PGRST103',
      details: 'An offset of 10 was requested, but there are only 9 rows.',
      headers: { 'Content-Range': '*/9' },
    })
    expect(respond(format('read'), rows(0), { offset: 10, limit: null }).status).toBe(200)
  })

  it('a read of a single object needs exactly one row', () => {
    const one = format('read', '', { type: 'application/vnd.pgrst.object+json' })
    expect(respond(one, rows(1), all)).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/vnd.pgrst.object+json; charset=utf-8' },
    })
    for (const rowCount of [0, 2])
      expect(() => respond(one, rows(rowCount), all)).toThrow(expect.objectContaining({ code: 'PGRST116' }))
    expect(respond({ ...one, kind: 'call' }, rows(2), all).status).toBe(200)
  })

  it('the response to HEAD has the status and the Content-Range of GET, without a body', () => {
    const head = (result: RestResult, window: { offset: number; limit: number | null }) => {
      const { status, headers, body } = respond(format('read', 'count=exact', { headOnly: true }), result, window)
      return [status, headers?.['Content-Range'], body]
    }
    expect(head(rows(0, 9), all)).toEqual([200, '0-8/9', ''])
    expect(head(rows(0, 9), { offset: 2, limit: 3 })).toEqual([206, '2-4/9', ''])
    expect(head(rows(0, 9), { offset: 8, limit: 3 })).toEqual([206, '8-8/9', ''])
    expect(head(rows(0, 9), { offset: 9, limit: 3 })).toEqual([206, '*/9', ''])
  })

  it('the response to a statement that returned no body has the body null', () => {
    expect(respond(format('call'), { ...rows(0), body: null }, all).body).toBe('null')
  })
})

describe('a write', () => {
  it.each<[ResponseFormat['kind'], string, RestResult, number, string, string | undefined]>([
    ['insert', '', rows(2), 201, '*/*', undefined],
    ['insert', 'return=representation', rows(2), 201, '*/*', '[…]'],
    ['insert', 'return=minimal', rows(2, null, 0), 200, '*/*', undefined],
    ['insert', 'return=representation', rows(2, null, 0), 200, '*/*', '[…]'],
    ['insert', 'return=representation', rows(2, null, 1), 201, '*/*', '[…]'],
    ['insert', 'return=representation', rows(0, null, 0), 201, '*/*', '[…]'],
    ['update', '', rows(2), 204, '0-1/*', undefined],
    ['update', 'return=representation', rows(2), 200, '0-1/*', '[…]'],
    ['update', 'return=representation,count=exact', rows(2), 200, '0-1/2', '[…]'],
    ['update', 'return=representation', rows(0), 200, '*/*', '[…]'],
    ['delete', '', rows(2), 204, '*/*', undefined],
    ['delete', 'return=representation', rows(2), 200, '*/*', '[…]'],
  ])(
    'the write %s with the preference %j and the result %j gets status %i, Content-Range %s and body %j',
    (kind, prefer, result, status, range, body) => {
      const response = respond(format(kind, prefer), result, all)
      expect([response.status, response.headers?.['Content-Range'], response.body]).toEqual([status, range, body])
      expect(response.headers?.['Content-Type']).toBe(body === undefined ? undefined : jsonType)
      expect(response.headers?.['Preference-Applied']).toBe(prefer === '' ? undefined : prefer.replace(',', ', '))
    },
  )
})

it('the response to a call of a void function has no body', () => {
  const response = respond(format('call', 'return=minimal', { isVoid: true }), rows(1), all)
  expect(response).toEqual({ status: 204, headers: { 'Preference-Applied': 'return=minimal' } })
})
