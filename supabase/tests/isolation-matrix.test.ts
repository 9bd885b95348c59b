import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cell, isolationMatrix, PERSONAL, renderMatrix, unexpectedCells } from './isolation-matrix.ts'
import { openScene, type Scene } from './people.ts'

/** Read by people: a change of it is a change of who may do what. */
const expected = readFileSync(new URL('isolation-expected.txt', import.meta.url), 'utf8')

describe('the isolation matrix', () => {
  let scene: Scene
  let cells: Cell[]

  beforeAll(async () => {
    scene = await openScene()
    cells = await isolationMatrix(scene)
  })
  afterAll(() => scene.drop())

  it('equals the kept table, cell by cell', () => {
    expect(cells.length).toBeGreaterThanOrEqual(400)
    expect(unexpectedCells(cells, expected)).toEqual([])
    expect(renderMatrix(cells)).toBe(expected)
  })

  it('shows nobody outside of a brand anything of it, and lets them write nothing', () => {
    const outside = cells.filter(
      ({ caller, brand }) => brand === 'foreign' || ['anon', 'stranger', 'removed'].includes(caller),
    )
    // To found a brand of one's own is everybody's right.
    const allowed = new Set(['brands insert', ...Object.keys(PERSONAL).map((name) => `${name}()`)])
    const leaks = outside.filter(({ what, outcome }) => outcome === 'rows' && !allowed.has(what))
    expect(leaks).toEqual([])
  })

  it('refuses everything to whoever has not signed in', () => {
    expect(new Set(cells.filter(({ caller }) => caller === 'anon').map(({ outcome }) => outcome))).toEqual(
      new Set(['refused']),
    )
  })

  it('lets rows of another brand look as if they did not exist', async () => {
    const nowhere = '11111111-1111-4111-8111-111111111111'
    for (const brand of [scene.umbra, nowhere]) {
      const ask = scene.as('bo')
      expect((await ask('select from deals where brand_id = $1', [brand])).rowCount).toBe(0)
      expect((await ask('delete from deals where brand_id = $1', [brand])).rowCount).toBe(0)
      await expect(ask(`insert into tasks (brand_id, title) values ($1, 'x')`, [brand])).rejects.toMatchObject({
        code: '42501',
        message: 'new row violates row-level security policy for table "tasks"',
      })
      await expect(ask('select pull($1)', [brand])).rejects.toMatchObject({ message: 'NOT_AUTHORIZED' })
    }
  })
})

describe('a mistake in the law is noticed by the matrix', () => {
  /** What is planted, where the matrix looks, and the SQL. */
  const plants: [name: string, where: string, sql: string][] = [
    [
      'a table without row security',
      'notes',
      `create table public.notes (brand_id uuid, body text);
       insert into public.notes select id, 'secret' from public.brands;
       grant select, insert, update, delete on public.notes to authenticated`,
    ],
    [
      'a table without policies',
      'notes',
      `create table public.notes (brand_id uuid, body text);
       alter table public.notes enable row level security`,
    ],
    ['a policy that is missing', 'deals', `drop policy "members see the deals of their brands" on public.deals`],
    [
      'a policy that is wrong',
      'contacts',
      `create policy "everybody sees contacts" on public.contacts for select to authenticated using (true)`,
    ],
    [
      'a right too many',
      'memberships',
      `grant insert on public.memberships to authenticated;
       create policy "members add members" on public.memberships for insert to authenticated
         with check (brand_id = any (array(select private.my_brand_ids())))`,
    ],
    [
      'a function that does not ask who calls',
      'pull',
      `create or replace function private.assert_member(p_brand_id uuid) returns void language sql as ''`,
    ],
    [
      'a function that nobody has judged',
      'everything',
      `create function public.everything(p_brand_id uuid) returns bigint language sql
         security definer set search_path = '' as 'select count(*) from public.deals'`,
    ],
  ]

  it.each(plants)('%s', async (_name, where, sql) => {
    const scene = await openScene()
    try {
      await scene.owner.query(sql)
      expect(unexpectedCells(await isolationMatrix(scene, where), expected)).not.toEqual([])
    } finally {
      await scene.drop()
    }
  })

  it('and nothing is noticed where nothing was planted', async () => {
    const scene = await openScene()
    try {
      expect(unexpectedCells(await isolationMatrix(scene, 'deals'), expected)).toEqual([])
    } finally {
      await scene.drop()
    }
  })
})
