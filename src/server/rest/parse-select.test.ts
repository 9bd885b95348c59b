import { describe, expect, it } from 'vitest'
import { parseSelect } from './parse-select.ts'

describe('select', () => {
  it('the select parameter may contain columns, aliases, casts and JSON arrows', () => {
    expect(parseSelect('id, t:title,price::text,meta->a->>0,"odd, name"')).toEqual([
      { kind: 'field', field: { column: 'id', path: [] }, alias: null, cast: null },
      { kind: 'field', field: { column: 'title', path: [] }, alias: 't', cast: null },
      { kind: 'field', field: { column: 'price', path: [] }, alias: null, cast: 'text' },
      {
        kind: 'field',
        field: {
          column: 'meta',
          path: [
            { arrow: '->', key: 'a' },
            { arrow: '->>', key: 0 },
          ],
        },
        alias: null,
        cast: null,
      },
      { kind: 'field', field: { column: 'odd, name', path: [] }, alias: null, cast: null },
    ])
  })

  it('the select parameter may contain nested embedded resources with alias, hint and !inner', () => {
    expect(parseSelect('*,who:authors!author_id!inner(name,books(*))')).toEqual([
      { kind: 'all' },
      {
        kind: 'embed',
        target: 'authors',
        alias: 'who',
        hint: 'author_id',
        isInner: true,
        items: [
          { kind: 'field', field: { column: 'name', path: [] }, alias: null, cast: null },
          { kind: 'embed', target: 'books', alias: null, hint: null, isInner: false, items: [{ kind: 'all' }] },
        ],
      },
    ])
  })

  it('an empty select parameter means all columns', () => {
    expect(parseSelect('')).toEqual([{ kind: 'all' }])
  })

  it.each([
    ['(', 'PGRST100'],
    ['id,', 'PGRST100'],
    ['a(b', 'PGRST100'],
    ['a!b', 'PGRST100'],
    ['"a', 'PGRST100'],
    ['a\0b', 'PGRST100'],
    ['x('.repeat(40), 'PGRST100'],
    ['price.sum()', 'PGRST123'],
    ['count()', 'PGRST123'],
    ['...authors(name)', 'PGRST127'],
  ])('the select parameter %j is refused with %s', (text, code) => {
    expect(() => parseSelect(text)).toThrow(expect.objectContaining({ code, status: 400 }))
  })
})
