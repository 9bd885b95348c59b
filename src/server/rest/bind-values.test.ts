import { describe, expect, it } from 'vitest'
import { bindValues } from './bind-values.ts'

const bindList = (text: string) => bindValues([{ from: 0, as: 'list' }], [text])[0]

describe('binding', () => {
  it('every element of a bound list is quoted, so that none becomes NULL, is split, or ends the array', () => {
    expect(bindList('(a,"b,c",null, d )')).toBe('{"a","b,c","null","d "}')
    expect(bindList('("q\\"uote","back\\\\slash","}")')).toBe('{"q\\"uote","back\\\\slash","}"}')
    expect(bindList('("say" twice,12" disc,"")')).toBe('{"\\"say\\" twice","12\\" disc",""}')
    expect(bindList('()')).toBe('{}')
  })

  it('a list that does not begin and end with its parentheses is refused', () => {
    for (const text of ['1,2', '(1,2', '(1,2)x', '("a', '']) {
      expect(() => bindList(text)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
    }
  })

  it('stars become wildcards only in patterns', () => {
    const values = [
      { from: 0, as: 'pattern' },
      { from: 0, as: 'text' },
      { from: '*', as: 'text' },
    ] as const
    expect(bindValues(values, ['a*b%'])).toEqual(['a%b%', 'a*b%', '*'])
  })
})
