import { describe, expect, it } from 'vitest'
import { parseBody } from './parse-body.ts'

const bodyOf = (text: string | Buffer, columns: string[] | null = null) =>
  parseBody(Buffer.from(text), 'application/json', columns).body

describe('a body', () => {
  it('the keys of a body are the keys of its object, or of the objects of its list, which must all have the same keys', () => {
    expect(bodyOf('{"a":1,"__proto__":2}')).toEqual({ kind: 'object', keys: ['a', '__proto__'] })
    expect(bodyOf('[{"a":1,"b":2},{"b":3,"a":4}]')).toEqual({ kind: 'list', keys: ['a', 'b'] })
    expect(bodyOf('[]')).toEqual({ kind: 'list', keys: [] })
  })

  it('the columns parameter replaces the keys of the body, and the objects of a list may then have different keys', () => {
    expect(bodyOf('[{"a":1},{"b":3}]', ['a', 'b'])).toEqual({ kind: 'list', keys: ['a', 'b'] })
  })

  it.each([
    ['', 'Empty or invalid json'],
    ['{', 'Empty or invalid json'],
    ['NaN', 'Empty or invalid json'],
    ['null', 'Empty or invalid json'],
    ['"text"', 'Empty or invalid json'],
    ['[1]', 'Empty or invalid json'],
    ['[{"a":1},{"b":1}]', 'All object keys must match'],
    ['[{"a":1},null]', 'All object keys must match'],
  ])('the body %j is refused', (text, message) => {
    expect(() => bodyOf(text)).toThrow(expect.objectContaining({ code: 'PGRST102', status: 400, message }))
  })

  it('a body that is not UTF-8, or has another content type than JSON, is refused', () => {
    expect(() => bodyOf(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow(expect.objectContaining({ code: 'PGRST102' }))
    expect(() => parseBody(Buffer.from('<a/>'), 'text/xml', null)).toThrow(expect.objectContaining({ status: 415 }))
  })

  it('a body with ten thousand nested levels is read without a stack overflow', () => {
    expect(bodyOf(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)).toEqual({ kind: 'object', keys: ['a'] })
  })
})
