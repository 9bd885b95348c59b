import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalCodes } from '#shared/refusal-codes.ts'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'

interface Raise {
  /** The function that raises the error, with the types of its arguments. */
  functionName: string
  message: string
  code: string | null
}

let database: TestDatabase
let raises: Raise[]
beforeAll(async () => {
  database = await testDatabase()
  const { rows } = await database.owner.query<{ name: string; text: string }>(
    `select p.oid::regprocedure::text as name, p.prosrc as text from pg_proc p
     where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
  )
  raises = rows.flatMap(({ name, text }) => [
    ...[...text.matchAll(/raise exception '((?:[^']|'')*)'([^;]*);/g)].map(([, message, options]) => ({
      functionName: name,
      message: message ?? '',
      code: /\berrcode = '(\w{5})'/.exec(options ?? '')?.[1] ?? null,
    })),
    ...[...text.matchAll(/raise sqlstate '(\w{5})' using message = '([^']*)'/g)].map(([, code, message]) => ({
      functionName: name,
      message: message ?? '',
      code: code ?? '',
    })),
  ])
  const statements = rows.flatMap(({ text }) => text.match(/\braise (?!log\b)\w/g) ?? [])
  expect(raises).toHaveLength(statements.length)
})
afterAll(() => database.drop())

const isName = ({ message }: Raise) => /^[A-Z_]+$/.test(message)

it('each error name that SQL raises has its code in the list, and no other code', () => {
  const codes = raises.filter(isName).map(({ message, code }) => [message, code ?? 'P0001'])
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter(([name, code]) => (refusalCodes as Record<string, string>)[name ?? ''] !== code)).toEqual([])
})

it('each error name in the list is raised', () => {
  const raised = new Set(raises.filter(isName).map(({ message }) => message))
  expect(Object.keys(refusalCodes).filter((name) => !raised.has(name))).toEqual([])
})

it('each error name has its own code, except NOT_AUTHORIZED and USER_NOT_FOUND, which have P0001', () => {
  const ownCodes = Object.values(refusalCodes).filter((code) => code !== 'P0001')
  expect(new Set(ownCodes).size).toBe(ownCodes.length)
  const shared = Object.entries(refusalCodes).filter(([, code]) => code === 'P0001')
  expect(shared.map(([name]) => name)).toEqual(['NOT_AUTHORIZED', 'USER_NOT_FOUND'])
})

it('each error is raised with a code, except NOT_AUTHORIZED and USER_NOT_FOUND', () => {
  expect(
    raises.filter((raise) => raise.code === null && !['NOT_AUTHORIZED', 'USER_NOT_FOUND'].includes(raise.message)),
  ).toEqual([])
})
