import { describe, expect, it } from 'vitest'
import { getOrAddLevel, parseQuery, splitQuery } from './parse-query.ts'

const isNeverArgument = () => false

describe('splitting a query', () => {
  it('filter values are put into slots and left out of the key of the query', () => {
    const firstQuery = splitQuery('select=id&id=eq.1&name=like.a*', false)
    const secondQuery = splitQuery('select=id&id=eq.2%20%26&name=like.b', false)
    expect(firstQuery.key).toBe(secondQuery.key)
    expect(firstQuery.slots).toEqual(['0', '', '1', 'a*'])
    expect(secondQuery.slots).toEqual(['0', '', '2 &', 'b'])
  })

  it('queries that need different SQL have different keys', () => {
    const keys = [
      'id=eq.1',
      'id=gt.1',
      'id=not.eq.1',
      'id=is.null',
      'id=is.true',
      'limit=1',
      'limit=2',
      'or=(a.eq.1)',
      'or=(a.eq.2)',
    ].map((query) => splitQuery(query, false).key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('all pages with an offset share one plan, but the first page has another plan', () => {
    expect(splitQuery('offset=10', false).key).toBe(splitQuery('offset=20', false).key)
    expect(splitQuery('offset=0', false).key).not.toBe(splitQuery('offset=20', false).key)
  })

  it('values without an operator are accepted only as arguments of a function', () => {
    const split = splitQuery('a=1&b=eq.2', true)
    expect(parseQuery(split, isNeverArgument).args).toEqual([{ name: 'a', value: { from: 2, as: 'text' } }])
    expect(parseQuery(split, (name) => name === 'b').args).toContainEqual({
      name: 'b',
      value: { from: 3, as: 'text', prefix: 'eq.' },
    })
    expect(() => parseQuery(splitQuery('a=1', false), isNeverArgument)).toThrow(
      expect.objectContaining({ code: 'PGRST100' }),
    )
  })
})

describe('parsing a query', () => {
  it('a parameter of an embedded resource is assigned to the level of this resource', () => {
    const query = parseQuery(
      splitQuery(
        'author.books.order=title.desc&author.limit=3&author.name=eq.x&author.not.or=(a.eq.1)&order=id',
        false,
      ),
      isNeverArgument,
    )
    expect(getOrAddLevel(query, ['author', 'books']).order).toHaveLength(1)
    expect(getOrAddLevel(query, ['author'])).toMatchObject({
      limit: 3,
      conditions: [{ kind: 'filter' }, { negated: true }],
    })
    expect(getOrAddLevel(query, []).order).toHaveLength(1)
  })

  it.each([
    ['limit=x', 'PGRST100'],
    ['limit=-1', 'PGRST103'],
    ['offset=1.5', 'PGRST100'],
    ['id=1', 'PGRST100'],
    ['=eq.1', 'PGRST100'],
    ['order=id.sideways', 'PGRST100'],
    ['columns=a,', 'PGRST100'],
  ])('the query %s is refused with %s', (query, code) => {
    expect(() => parseQuery(splitQuery(query, false), isNeverArgument)).toThrow(expect.objectContaining({ code }))
  })

  it('a query with invalid percent-encoding or too many parameters is refused', () => {
    expect(() => splitQuery('a=%zz', false)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
    expect(() => splitQuery('a=%ff', false)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
    expect(() => splitQuery('a=eq.1&'.repeat(500), false)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })
})
