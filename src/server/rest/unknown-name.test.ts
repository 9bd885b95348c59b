import { describe, expect, it } from 'vitest'
import { HttpError } from '#server/http/errors.ts'
import type { Relation, Schema } from './schema.ts'
import {
  isUnknownName,
  unknownBodyColumn,
  unknownColumn,
  unknownFunction,
  unknownRelation,
  unknownRelationship,
} from './unknown-name.ts'

const books = {
  name: 'books',
  columns: new Map(['isbn', 'title', 'Author_id'].map((name) => [name, {}])),
} as never as Relation
const schema = {
  name: 'public',
  relations: new Map(['authors', 'books', 'book_genres'].map((name) => [name, { name }])),
  relationships: new Map([['books', [{ target: { name: 'authors' } }, { target: { name: 'reviews' } }]]]),
  functions: new Map<string, unknown>([
    ['add_book', [{ args: [{ name: 'title' }, { name: 'price' }] }]],
    ['count_books', [{ args: [] }]],
  ]),
} as never as Schema

describe('a hint', () => {
  it.each([
    ['titel', 'title'],
    ['TITLE', 'title'],
    ['author_id', 'Author_id'],
    ['titleab', 'title'],
    ['tit', 'title'],
    ['ti', null],
    ['titleabc', null],
    ['isb', 'isbn'],
    ['something', null],
    ['x'.repeat(64), null],
  ])('the most similar name for the unknown column %s is %s', (given, similar) => {
    expect(unknownColumn(books, given).hint).toBe(
      similar && `Perhaps you meant to reference the column "books.${similar}".`,
    )
  })

  it('the hint for an unknown name is the most similar of several names', () => {
    const relation = {
      name: 'a',
      columns: new Map(['abcdxx', 'abcdex', 'abcdef1'].map((name) => [name, {}])),
    } as never as Relation
    expect(unknownColumn(relation, 'abcdef').hint).toContain('"a.abcdex"')
  })
})

it('an unknown column gets the message of PostgreSQL, with the name truncated after a hundred characters', () => {
  const error = unknownColumn(books, 'y'.repeat(101))
  expect([error.status, error.code, error.message]).toEqual([
    400,
    '42703',
    `column books.${'y'.repeat(100)}… does not exist`,
  ])
  expect(unknownColumn(books, 'y'.repeat(100)).message).toBe(`column books.${'y'.repeat(100)} does not exist`)
})

it('an unknown key of a body is refused with PGRST204', () => {
  const error = unknownBodyColumn(books, 'prize')
  expect([error.status, error.code, error.message]).toEqual([
    400,
    'PGRST204',
    "Could not find the 'prize' column of 'books' in the schema cache",
  ])
})

it('an unknown table is refused with PGRST205, and with a hint if a table has a similar name', () => {
  const error = unknownRelation(schema, 'bookz')
  expect([error.status, error.code, error.message, error.hint]).toEqual([
    404,
    'PGRST205',
    "Could not find the table 'public.bookz' in the schema cache",
    "Perhaps you meant the table 'public.books'",
  ])
  expect(unknownRelation(schema, 'entirely').hint).toBeNull()
})

describe('an unknown function', () => {
  it.each([
    [
      'add_boook',
      [],
      'Could not find the function public.add_boook without parameters in the schema cache',
      'Searched for the function public.add_boook without parameters, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function public.add_book(title, price)',
    ],
    [
      'add_book',
      ['name'],
      'Could not find the function public.add_book(name) in the schema cache',
      'Searched for the function public.add_book with parameter name, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function public.add_book(title, price)',
    ],
    [
      'count_book',
      ['a', 'b'],
      'Could not find the function public.count_book(a, b) in the schema cache',
      'Searched for the function public.count_book with parameters a, b, but no matches were found in the schema cache.',
      'Perhaps you meant to call the function public.count_books',
    ],
    [
      'entirely',
      [],
      'Could not find the function public.entirely without parameters in the schema cache',
      'Searched for the function public.entirely without parameters, but no matches were found in the schema cache.',
      null,
    ],
  ])(
    'the refusal of a call of the function %s with the arguments %j says what was searched, and names a similar function if there is one',
    (name, args, message, details, hint) => {
      const error = unknownFunction(schema, name, args)
      expect([error.status, error.code, error.message, error.details, error.hint]).toEqual([
        404,
        'PGRST202',
        message,
        details,
        hint,
      ])
    },
  )
})

describe('an unknown relationship', () => {
  it('the refusal of an unknown relationship says where it was searched, and names a similar relation', () => {
    const error = unknownRelationship(schema, 'books', 'author', 'by_hand')
    expect([error.status, error.code, error.message, error.details, error.hint]).toEqual([
      400,
      'PGRST200',
      "Could not find a relationship between 'books' and 'author' in the schema cache",
      "Searched for a foreign key relationship between 'books' and 'author' using the hint 'by_hand' in the schema 'public', but no matches were found.",
      "Perhaps you meant 'authors' instead of 'author'.",
    ])
  })

  it('the refusal of an unknown relationship has no hint if the most similar name is the given one, or if the table has no relationships', () => {
    expect(unknownRelationship(schema, 'books', 'authors', null).hint).toBeNull()
    const error = unknownRelationship(schema, 'genres', 'authors', null)
    expect([error.hint, error.details]).toEqual([
      null,
      "Searched for a foreign key relationship between 'genres' and 'authors' in the schema 'public', but no matches were found.",
    ])
  })
})

it('isUnknownName accepts only refusals with the code of an unknown name', () => {
  for (const code of ['42703', '42704', 'PGRST200', 'PGRST202', 'PGRST204', 'PGRST205'])
    expect(isUnknownName(new HttpError(400, code, ''))).toBe(true)
  for (const error of [
    new HttpError(400, 'PGRST100', ''),
    new Error('42703'),
    Object.assign(new Error(''), { code: '42703' }),
    null,
  ])
    expect(isUnknownName(error)).toBe(false)
})
