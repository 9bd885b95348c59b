import { describe, expect, it } from 'vitest'
import { parseAccept, parsePreferences } from './parse-headers.ts'
import { type Answer, type Asked, respond } from './respond.ts'

const jsonType = 'application/json; charset=utf-8'

function asked(kind: Asked['kind'], prefer = '', more: Partial<Asked> & { type?: string } = {}): Asked {
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
const answer = (page: number, total: number | null = null, inserted: number | null = null): Answer => ({
  body: '[…]',
  page,
  total,
  inserted,
})
const all = { offset: 0, limit: null }

describe('a read', () => {
  it.each<[string, Answer, { offset: number; limit: number | null }, number, string]>([
    ['', answer(3), all, 200, '0-2/*'],
    ['', answer(3), { offset: 10, limit: 3 }, 200, '10-12/*'],
    ['', answer(0), all, 200, '*/*'],
    ['count=exact', answer(3, 3), all, 200, '0-2/3'],
    ['count=exact', answer(3, 9), { offset: 6, limit: 3 }, 206, '6-8/9'],
    ['count=exact', answer(0, 0), all, 200, '*/0'],
    ['count=exact', answer(0, 9), { offset: 9, limit: null }, 206, '*/9'],
    ['count=exact', answer(3), all, 200, '0-2/3'],
  ])('%s of %j in %j', (prefer, result, window, status, range) => {
    const response = respond(asked('read', prefer), result, window)
    expect([response.status, response.headers?.['Content-Range'], response.body]).toEqual([status, range, '[…]'])
    expect(response.headers?.['Content-Type']).toBe(jsonType)
  })

  it('after the last row is refused if rows were counted', () => {
    let error: unknown
    try {
      respond(asked('read', 'count=exact'), answer(0, 9), { offset: 10, limit: null })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      status: 416,
      code: 'PGRST103',
      details: 'An offset of 10 was requested, but there are only 9 rows.',
      headers: { 'Content-Range': '*/9' },
    })
    expect(respond(asked('read'), answer(0), { offset: 10, limit: null }).status).toBe(200)
  })

  it('of a single object needs exactly one row', () => {
    const one = asked('read', '', { type: 'application/vnd.pgrst.object+json' })
    expect(respond(one, answer(1), all)).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/vnd.pgrst.object+json; charset=utf-8' },
    })
    for (const page of [0, 2])
      expect(() => respond(one, answer(page), all)).toThrow(expect.objectContaining({ code: 'PGRST116' }))
    expect(respond({ ...one, kind: 'call' }, answer(2), all).status).toBe(200)
  })

  it('by HEAD has the headers of GET, without a body', () => {
    const head = (result: Answer, window: { offset: number; limit: number | null }) => {
      const { status, headers, body } = respond(asked('read', 'count=exact', { headOnly: true }), result, window)
      return [status, headers?.['Content-Range'], body]
    }
    expect(head(answer(0, 9), all)).toEqual([200, '0-8/9', ''])
    expect(head(answer(0, 9), { offset: 2, limit: 3 })).toEqual([206, '2-4/9', ''])
    expect(head(answer(0, 9), { offset: 8, limit: 3 })).toEqual([206, '8-8/9', ''])
    expect(head(answer(0, 9), { offset: 9, limit: 3 })).toEqual([206, '*/9', ''])
  })

  it('without a body is null', () => {
    expect(respond(asked('call'), { ...answer(0), body: null }, all).body).toBe('null')
  })
})

describe('a write', () => {
  it.each<[Asked['kind'], string, Answer, number, string, string | undefined]>([
    ['insert', '', answer(2), 201, '*/*', undefined],
    ['insert', 'return=representation', answer(2), 201, '*/*', '[…]'],
    ['insert', 'return=minimal', answer(2, null, 0), 200, '*/*', undefined],
    ['insert', 'return=representation', answer(2, null, 0), 200, '*/*', '[…]'],
    ['insert', 'return=representation', answer(2, null, 1), 201, '*/*', '[…]'],
    ['insert', 'return=representation', answer(0, null, 0), 201, '*/*', '[…]'],
    ['update', '', answer(2), 204, '0-1/*', undefined],
    ['update', 'return=representation', answer(2), 200, '0-1/*', '[…]'],
    ['update', 'return=representation,count=exact', answer(2), 200, '0-1/2', '[…]'],
    ['update', 'return=representation', answer(0), 200, '*/*', '[…]'],
    ['delete', '', answer(2), 204, '*/*', undefined],
    ['delete', 'return=representation', answer(2), 200, '*/*', '[…]'],
  ])('%s with %j that wrote %j', (kind, prefer, result, status, range, body) => {
    const response = respond(asked(kind, prefer), result, all)
    expect([response.status, response.headers?.['Content-Range'], response.body]).toEqual([status, range, body])
    expect(response.headers?.['Content-Type']).toBe(body === undefined ? undefined : jsonType)
    expect(response.headers?.['Preference-Applied']).toBe(prefer === '' ? undefined : prefer.replace(',', ', '))
  })
})

it('a function that returns nothing has no body', () => {
  const response = respond(asked('call', 'return=minimal', { isVoid: true }), answer(1), all)
  expect(response).toEqual({ status: 204, headers: { 'Preference-Applied': 'return=minimal' } })
})
