import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

async function problem(email: string | null, first = 'Ana', last = 'Bo', company = 'Acme'): Promise<string | null> {
  const { rows } = await scene.owner.query('select private.contact_problem($1, $2, $3, $4) as problem', [
    email,
    first,
    last,
    company,
  ])
  return rows[0].problem
}

const emailRefusal = 'An email has 3 to 320 characters and one @ inside'

it.each<[string | null, string | null]>([
  [null, 'Email is required'],
  ['a@b', null],
  [`${'a'.repeat(318)}@b`, null],
  [`${'a'.repeat(319)}@b`, emailRefusal],
  ['ab', emailRefusal],
  ['abc', emailRefusal],
  ['@bc', emailRefusal],
  ['ab@', emailRefusal],
  ['a@b@c', emailRefusal],
  ['a@@c', emailRefusal],
])('the e-mail address %s gets the message %s', async (email, expected) => {
  expect(await problem(email)).toBe(expected)
})

it('names of contacts and companies have up to 200 characters', async () => {
  const [longest, tooLong] = ['x'.repeat(200), 'x'.repeat(201)]
  expect(await problem('a@b', longest, longest, longest)).toBeNull()
  expect(await problem('a@b', tooLong)).toBe('The first name is longer than 200 characters')
  expect(await problem('a@b', longest, tooLong)).toBe('The last name is longer than 200 characters')
  expect(await problem('a@b', longest, longest, tooLong)).toBe('The company name is longer than 200 characters')
})
