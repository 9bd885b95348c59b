import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

type Outcome = { row: number; status: string; id: string | null; reason: string | null }
interface FileRow {
  email: string | null
  first_name: string | null
  last_name: string | null
  company: string | null
  phone?: string | null
  title?: string | null
}

describe('import_contacts', () => {
  const importInto = async (rows: readonly FileRow[], functionName = 'import_contacts') => {
    const chunk = JSON.stringify(rows.map((row, index) => ({ row: index + 2, ...row })))
    const person = functionName === 'import_contacts' ? scene.as('bo') : scene.owner.query.bind(scene.owner)
    const { rows: answers } = await person(
      `select ${functionName === 'import_contacts' ? functionName : `private.${functionName}`}($1, $2, $3) as outcomes`,
      [scene.acme, randomUUID(), chunk],
    )
    return (answers[0] as { outcomes: Outcome[] }).outcomes
  }
  const storedContacts = async () =>
    (
      await scene.owner.query(
        `select c.email, c.phone, c.title, c.first_name, c.last_name, o.name as company from contacts c
         left join companies o on o.brand_id = c.brand_id and o.id = c.company_id where c.brand_id = $1 order by c.email_norm, c.phone, c.id`,
        [scene.acme],
      )
    ).rows
  const storedCompanies = async () =>
    (await scene.owner.query(`select name from companies where brand_id = $1 order by lower(name), name`, [scene.acme]))
      .rows
  const deleteContactsAndCompanies = async () => {
    await scene.owner.query('delete from contacts where brand_id = $1', [scene.acme])
    await scene.owner.query('delete from companies where brand_id = $1', [scene.acme])
  }

  it('import_contacts returns the outcome of each row', async () => {
    await deleteContactsAndCompanies()
    const row = (email: string | null, first: string | null = null, company: string | null = null) => ({
      email,
      first_name: first,
      last_name: null,
      company,
    })
    const outcomes = await importInto([
      row('a@x.y', 'A', 'Co'),
      row(''),
      row('A@X.Y', 'A'),
      row('a@x.y', 'B'),
      row('b@x.y', null, 'CO'),
      row('no'),
    ])
    expect(outcomes.map(({ row: number, status, reason }) => [number, status, reason])).toEqual([
      [2, 'created', null],
      [3, 'error', 'Email is required'],
      [4, 'unchanged', null],
      [5, 'updated', null],
      [6, 'created', null],
      [7, 'error', 'An email has 3 to 320 characters and one @ inside'],
    ])
    expect(new Set([outcomes[0]?.id, outcomes[2]?.id, outcomes[3]?.id]).size).toBe(1)
    const repeatedOutcomes = await importInto([row('a@x.y', 'B', 'Co'), row('b@x.y')])
    expect(repeatedOutcomes.map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
  })

  it('import_contacts refuses more than 1,000 rows, and anything but a list', async () => {
    const tooManyRows = Array.from({ length: 1001 }, (_, n) => ({
      email: `${n}@x.y`,
      first_name: null,
      last_name: null,
      company: null,
    }))
    expect(await refusalOf(importInto(tooManyRows))).toMatch(/^22023/)
    expect(
      await refusalOf(scene.as('bo')(`select import_contacts($1, null, '{"email": "a@b.c"}')`, [scene.acme])),
    ).toMatch(/^22023/)
  })

  it('import_contacts has the same outcome for all rows at once as row by row, for any file', async () => {
    const anyOf = (...choices: (string | null)[]) => fc.constantFrom(...choices)
    const fileRow = fc.record({
      email: anyOf(
        'a@x.y',
        'A@x.Y ',
        'b@x.y',
        'ç@x.y',
        'Ç@X.y',
        'd@x.y',
        'e@x.y',
        '',
        null,
        'bad',
        '@',
        'x'.repeat(321),
      ),
      first_name: anyOf('Ana', ' Ana', 'Bo', '', null, 'x'.repeat(201)),
      last_name: anyOf('One', 'Two', null),
      company: anyOf('Big', 'BIG ', 'Small', null, '', 'y'.repeat(201)),
      phone: anyOf('0100', ' 0100', '+49 30 1', null, '', '1'.repeat(51)),
      title: anyOf('CEO', null, 'z'.repeat(201)),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fileRow, { maxLength: 12 }),
        fc.array(fileRow, { maxLength: 25 }),
        async (before, file) => {
          const run = async (functionName: string) => {
            await deleteContactsAndCompanies()
            await importInto(before, 'import_row_by_row')
            const outcomes = await importInto(file, functionName)
            const positions = new Map<string | null, number>([[null, 0]])
            // Ids differ between the two runs: compare which rows share an id.
            const outcomesWithPositions = outcomes.map(({ id, ...rest }) => ({
              ...rest,
              id: positions.get(id) ?? positions.set(id, positions.size).size,
            }))
            return { outcomesWithPositions, contacts: await storedContacts(), companies: await storedCompanies() }
          }
          expect(await run('import_as_set')).toEqual(await run('import_row_by_row'))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('import_contacts continues row by row after an unexpected error of one row', async () => {
    await deleteContactsAndCompanies()
    await scene.owner.query(`alter table contacts add constraint no_mallory check (first_name <> 'Mallory')`)
    try {
      const row = (n: number, first: string) => ({
        email: `${n}@x.y`,
        first_name: first,
        last_name: null,
        company: 'Co',
      })
      const outcomes = await importInto([row(1, 'Ana'), row(2, 'Mallory'), row(3, 'Bo')])
      expect(outcomes.map(({ status }) => status)).toEqual(['created', 'error', 'created'])
      expect(outcomes[1]?.reason).toMatch(/no_mallory/)
    } finally {
      await scene.owner.query('alter table contacts drop constraint no_mallory')
    }
  })

  it('import_contacts creates no duplicate if the same chunk arrives ten times at once, in any order', async () => {
    await deleteContactsAndCompanies()
    const rows = Array.from({ length: 200 }, (_, n) => ({
      email: `p${n}@x.y`,
      first_name: `P${n}`,
      last_name: null,
      company: `Co ${n % 7}`,
    }))
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, n) => importInto(n % 2 ? rows : rows.toReversed())),
    )
    expect(results.flat().filter(({ status }) => status === 'created').length).toBe(200)
    expect(results.flat().filter(({ status }) => status === 'error')).toEqual([])
    expect((await storedContacts()).length).toBe(200)
    expect((await storedCompanies()).length).toBe(7)
  })
})
