import { describe, expect, it } from 'vitest'
import { parseAccept, parsePreferences } from './parse-headers.ts'
import { type RestResult, type ResponseFormat, respond } from './respond.ts'

const jsonType = 'application/json; charset=utf-8'

function newFormat(
  kind: ResponseFormat['kind'],
  prefer = '',
  overrides: Partial<ResponseFormat> & { type?: string } = {},
): ResponseFormat {
  const { type, ...rest } = overrides
  return {
    kind,
    accept: parseAccept(type),
    preferences: parsePreferences(prefer),
    isHead: false,
    isVoid: false,
    ...rest,
  }
}
const resultWith = (rowCount: number, total: number | null = null, inserted: number | null = null): RestResult => ({
  body: '[…]',
  rowCount,
  total,
  inserted,
})
const allRows = { offset: 0, limit: null }

describe('a read', () => {
  it.each<[string, RestResult, { offset: number; limit: number | null }, number, string]>([
    ['', resultWith(3), allRows, 200, '0-2/*'],
    ['', resultWith(3), { offset: 10, limit: 3 }, 200, '10-12/*'],
    ['', resultWith(0), allRows, 200, '*/*'],
    ['count=exact', resultWith(3, 3), allRows, 200, '0-2/3'],
    ['count=exact', resultWith(3, 9), { offset: 6, limit: 3 }, 206, '6-8/9'],
    ['count=exact', resultWith(0, 0), allRows, 200, '*/0'],
    ['count=exact', resultWith(0, 9), { offset: 9, limit: null }, 206, '*/9'],
    ['count=exact', resultWith(3), allRows, 200, '0-2/3'],
  ])(
    'a read with the preference %j, the result %j and the window %j gets status %i and Content-Range %s',
    (prefer, result, window, status, range) => {
      const response = respond(newFormat('read', prefer), result, window)
      expect([response.status, response.headers?.['Content-Range'], response.body]).toEqual([status, range, '[…]'])
      expect(response.headers?.['Content-Type']).toBe(jsonType)
    },
  )

  it('a read with an offset greater than the number of rows is refused if the rows were counted', () => {
    let error: unknown
    try {
      respond(newFormat('read', 'count=exact'), resultWith(0, 9), { offset: 10, limit: null })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      status: 416,
      code: 'PGRST103',
      details: 'An offset of 10 was requested, but there are only 9 rows.',
      headers: { 'Content-Range': '*/9' },
    })
    expect(respond(newFormat('read'), resultWith(0), { offset: 10, limit: null }).status).toBe(200)
  })

  it('a read of a single object needs exactly one row', () => {
    const singleObject = newFormat('read', '', { type: 'application/vnd.pgrst.object+json' })
    expect(respond(singleObject, resultWith(1), allRows)).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/vnd.pgrst.object+json; charset=utf-8' },
    })
    for (const rowCount of [0, 2])
      expect(() => respond(singleObject, resultWith(rowCount), allRows)).toThrow(
        expect.objectContaining({ code: 'PGRST116' }),
      )
    expect(respond({ ...singleObject, kind: 'call' }, resultWith(2), allRows).status).toBe(200)
  })

  it('the response to HEAD has the status and the Content-Range of GET, without a body', () => {
    const statusRangeAndBody = (result: RestResult, window: { offset: number; limit: number | null }) => {
      const { status, headers, body } = respond(newFormat('read', 'count=exact', { isHead: true }), result, window)
      return [status, headers?.['Content-Range'], body]
    }
    expect(statusRangeAndBody(resultWith(0, 9), allRows)).toEqual([200, '0-8/9', undefined])
    expect(statusRangeAndBody(resultWith(0, 9), { offset: 2, limit: 3 })).toEqual([206, '2-4/9', undefined])
    expect(statusRangeAndBody(resultWith(0, 9), { offset: 8, limit: 3 })).toEqual([206, '8-8/9', undefined])
    expect(statusRangeAndBody(resultWith(0, 9), { offset: 9, limit: 3 })).toEqual([206, '*/9', undefined])
  })

  it('the response to a statement that returned no body has the body null', () => {
    expect(respond(newFormat('call'), { ...resultWith(0), body: null }, allRows).body).toBe('null')
  })
})

describe('a write', () => {
  it.each<[ResponseFormat['kind'], string, RestResult, number, string, string | undefined]>([
    ['insert', '', resultWith(2), 201, '*/*', undefined],
    ['insert', 'return=representation', resultWith(2), 201, '*/*', '[…]'],
    ['insert', 'return=minimal', resultWith(2, null, 0), 200, '*/*', undefined],
    ['insert', 'return=representation', resultWith(2, null, 0), 200, '*/*', '[…]'],
    ['insert', 'return=representation', resultWith(2, null, 1), 201, '*/*', '[…]'],
    ['insert', 'return=representation', resultWith(0, null, 0), 201, '*/*', '[…]'],
    ['update', '', resultWith(2), 204, '0-1/*', undefined],
    ['update', 'return=representation', resultWith(2), 200, '0-1/*', '[…]'],
    ['update', 'return=representation,count=exact', resultWith(2), 200, '0-1/2', '[…]'],
    ['update', 'return=representation', resultWith(0), 200, '*/*', '[…]'],
    ['delete', '', resultWith(2), 204, '*/*', undefined],
    ['delete', 'return=representation', resultWith(2), 200, '*/*', '[…]'],
  ])(
    'the write %s with the preference %j and the result %j gets status %i, Content-Range %s and body %j',
    (kind, prefer, result, status, range, body) => {
      const response = respond(newFormat(kind, prefer), result, allRows)
      expect([response.status, response.headers?.['Content-Range'], response.body]).toEqual([status, range, body])
      expect(response.headers?.['Content-Type']).toBe(body === undefined ? undefined : jsonType)
      expect(response.headers?.['Preference-Applied']).toBe(prefer === '' ? undefined : prefer.replace(',', ', '))
    },
  )
})

it('the response to a call of a void function has no body', () => {
  const response = respond(newFormat('call', 'return=minimal', { isVoid: true }), resultWith(1), allRows)
  expect(response).toEqual({ status: 204, headers: { 'Preference-Applied': 'return=minimal' } })
})
