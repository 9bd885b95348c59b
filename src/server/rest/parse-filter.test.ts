import { describe, expect, it } from 'vitest'
import { parseIs, parseLogic, parseOperator } from './parse-filter.ts'

describe('operators', () => {
  it('an operator is parsed with its negation, quantifier and language', () => {
    expect(parseOperator('eq.')?.test(2)).toMatchObject({ kind: 'compare', operator: '=', quantifier: null })
    expect(parseOperator('not.gte.')).toMatchObject({ negated: true })
    expect(parseOperator('like(any).')?.test(2)).toMatchObject({ quantifier: 'any', value: { as: 'pattern' } })
    expect(parseOperator('in.')?.test(2)).toEqual({ kind: 'in', value: { from: 2, as: 'list' } })
    expect(parseOperator('plfts(english).')?.test(2)).toMatchObject({
      sqlFunction: 'plainto_tsquery',
      language: 'english',
    })
  })

  it.each(['', 'xx.', 'eq', 'in(any).', 'neq(all).', 'cs(any).', 'toString.', '__proto__.'])(
    'the text %j is not accepted as an operator',
    (text) => {
      expect(parseOperator(text)).toBeNull()
    },
  )

  it('the value of the operator “is” is accepted in upper and lower case, but not if it is incomplete or text follows it', () => {
    expect(parseIs('not.is.NULL')).toEqual({ negated: true, test: { kind: 'is', what: 'null' } })
    expect(parseIs('is.not_null')).toEqual({ negated: false, test: { kind: 'is', what: 'not null' } })
    expect(parseIs('is.nul')).toBeNull()
    expect(parseIs('is.null;drop')).toBeNull()
  })
})

describe('trees', () => {
  it('a logic tree may be nested and negated, and commas inside quotes, braces and lists do not split it', () => {
    const tree = parseLogic('or', false, '(a.eq.1,not.and(b.not.in.(1,"x,y"),c.cs.{p,"q}"}),d.is.null,e.eq."z,)")')
    expect(tree).toMatchObject({
      kind: 'or',
      terms: [
        { test: { value: { from: '1' } } },
        {
          kind: 'and',
          negated: true,
          terms: [
            { negated: true, test: { kind: 'in', value: { from: '(1,"x,y")' } } },
            { test: { operator: '@>', value: { from: '{p,"q}"}' } } },
          ],
        },
        { test: { kind: 'is', what: 'null' } },
        { test: { value: { from: 'z,)' } } },
      ],
    })
  })

  it.each(['', 'a.eq.1', '(a.eq.1', '(a.eq.1))', '(a.xx.1)', '()', '(a.is.maybe)', '('.repeat(50), '(a.in.1)'])(
    'the logic tree %j is refused',
    (text) => {
      expect(() => parseLogic('or', false, text)).toThrow(expect.objectContaining({ code: 'PGRST100', status: 400 }))
    },
  )
})
