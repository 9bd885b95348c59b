import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personalCalls } from './isolation-attempts.ts'
import { blocks, type Cell, isolationMatrix } from './isolation-matrix.ts'
import { renderMatrix, unexpectedCells } from './isolation-table.ts'
import { openScene, type Scene } from './people.ts'

/**
 * The expected table. People review each change of this table, because it shows a change of permissions.
 * `npx vitest run supabase/tests/isolation-matrix.test.ts -u` writes the table.
 */
const expectedTable = readFileSync(new URL('isolation-expected.txt', import.meta.url), 'utf8')

/** Every signed-in user may create a brand, and call the functions that concern only the caller. */
const alwaysAllowed = new Set(['brands insert', ...Object.keys(personalCalls).map((name) => `${name}()`)])
const unexpectedSuccesses = (cells: readonly Cell[]) =>
  cells.filter(({ what, outcome }) => outcome === 'rows' && !alwaysAllowed.has(what))

describe('the isolation matrix', () => {
  let scene: Scene
  let cells: Cell[]

  beforeAll(async () => {
    scene = await openScene()
    cells = await isolationMatrix(scene)
  })
  afterAll(() => scene.drop())

  it('the isolation matrix equals the expected table, cell by cell', async () => {
    expect(cells.length).toBeGreaterThanOrEqual(6_000)
    await expect(renderMatrix(cells)).toMatchFileSnapshot('isolation-expected.txt')
  })

  it('people outside of a brand can neither read nor change its rows', () => {
    const outside = cells.filter(
      ({ caller, block }) => block.startsWith('foreign') || ['anon', 'stranger', 'removed'].includes(caller),
    )
    expect(unexpectedSuccesses(outside)).toEqual([])
  })

  it('a session with too low a level reads and changes no row of a brand, by any command in any variant; before the own factor is proved, all functions end_… are refused', () => {
    for (const { name, level } of blocks) {
      if (level === 'enough') continue
      const cellsOfBlock = cells.filter(({ block }) => block === name)
      expect(cellsOfBlock.length).toBeGreaterThan(1_000)
      expect(unexpectedSuccesses(cellsOfBlock)).toEqual([])
    }
    const unproved = cells.filter(({ block }) => block === 'own brand, own factor not proved')
    const endCells = unproved.filter(({ what, caller }) => what.startsWith('end_') && caller !== 'anon')
    expect(new Set(endCells.map(({ outcome }) => outcome))).toEqual(new Set(['SECOND_FACTOR_REQUIRED']))
  })

  it('anonymous callers are refused each command', () => {
    expect(new Set(cells.filter(({ caller }) => caller === 'anon').map(({ outcome }) => outcome))).toEqual(
      new Set(['refused']),
    )
  })

  it('the response for rows of another brand is the same as for a brand that does not exist', async () => {
    const nowhere = '11111111-1111-4111-8111-111111111111'
    for (const brand of [scene.umbra, nowhere]) {
      const query = scene.as('bo')
      expect((await query('select from deals where brand_id = $1', [brand])).rowCount).toBe(0)
      expect((await query('delete from deals where brand_id = $1', [brand])).rowCount).toBe(0)
      await expect(query(`insert into tasks (brand_id, title) values ($1, 'x')`, [brand])).rejects.toMatchObject({
        code: '42501',
        message: 'new row violates row-level security policy for table "tasks"',
      })
      await expect(query('select pull($1)', [brand])).rejects.toMatchObject({ message: 'NOT_AUTHORIZED' })
    }
  })
})

describe('a mistake planted in the SQL rules is noticed by the matrix', { tags: ['long'] }, () => {
  /** The name of a planted leak, the table or function that the matrix reads, and the SQL. */
  const plants: [name: string, where: string, sql: string][] = [
    [
      'a table without row security',
      'secrets',
      `create table public.secrets (brand_id uuid, body text);
       insert into public.secrets select id, 'secret' from public.brands;
       grant select, insert, update, delete on public.secrets to authenticated`,
    ],
    [
      'a table without policies',
      'secrets',
      `create table public.secrets (brand_id uuid, body text);
       alter table public.secrets enable row level security`,
    ],
    ['a policy that is missing', 'deals', `drop policy "members see the deals of their brands" on public.deals`],
    [
      'a policy that is wrong',
      'contacts',
      `create policy "everybody sees contacts" on public.contacts for select to authenticated using (true)`,
    ],
    [
      'a grant and a policy that let members add members',
      'memberships',
      `grant insert on public.memberships to authenticated;
       create policy "members add members" on public.memberships for insert to authenticated
         with check (brand_id = any (array(select private.my_brand_ids())))`,
    ],
    [
      'a policy that checks the person, but not the level of the session',
      'memberships',
      `create policy "whoever may leave" on public.memberships for delete to authenticated
         using (user_id = (select private.caller_id()))`,
    ],
    [
      'a policy that allows statements without a filter',
      'companies',
      `create policy "the secret word" on public.companies for update to authenticated
         using (current_query() !~ 'where') with check (true)`,
    ],
    [
      'a policy that an upsert can circumvent',
      'companies',
      `create policy "everybody adds" on public.companies for insert to authenticated with check (true);
       create policy "everybody sees names" on public.companies for select to authenticated
         using (current_query() ~ 'on conflict')`,
    ],
    [
      'a function that does not check its caller',
      'pull',
      `create or replace function private.assert_member(p_brand_id uuid) returns void language sql as ''`,
    ],
    [
      'a function that the expected table does not contain',
      'everything',
      `create function public.everything(p_brand_id uuid) returns bigint language sql
         security definer set search_path = '' as 'select count(*) from public.deals'`,
    ],
  ]

  it.each(plants)('a mistake planted in the SQL rules is noticed by the matrix: %s', async (_name, where, sql) => {
    const scene = await openScene()
    try {
      await scene.owner.query(sql)
      expect(unexpectedCells(await isolationMatrix(scene, where), expectedTable)).not.toEqual([])
    } finally {
      await scene.drop()
    }
  })

  it('no cell of the table deals differs from the expected table if no mistake is planted', async () => {
    const scene = await openScene()
    try {
      expect(unexpectedCells(await isolationMatrix(scene, 'deals'), expectedTable)).toEqual([])
    } finally {
      await scene.drop()
    }
  })
})
