import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library

beforeAll(async () => {
  library = await startLibrary()
  await library.owner.query(`
    create table public.samples (
      id int primary key, n int, word text, tags text[], span int4range, words tsvector generated always as (to_tsvector('english', word)) stored
    );
    grant select on public.samples to authenticated;
    insert into public.samples values
      (1, 10, 'The quick fox', '{a}', '[1,5)'), (2, 20, 'the QUICK dog', '{a,b}', '[5,9)'),
      (3, 30, 'A slow fox', '{b,c}', '[20,30)'), (4, null, 'quick brown fox', '{}', '[3,7)');
    notify pgrst, 'reload schema'`)
  // If the server loaded the schema before the table existed, this unknown name makes it load the schema again.
  await library.reader.from('samples').select('id')
})
afterAll(() => library?.stop())

async function idsFound(column: string, operator: string, value: string): Promise<number[] | string> {
  const { data, error } = await library.reader.from('samples').select('id').filter(column, operator, value).order('id')
  return error ? error.message : (data as { id: number }[]).map(({ id }) => id)
}

it.each<[string, string, string, number[]]>([
  ['n', 'eq', '20', [2]],
  ['n', 'neq', '20', [1, 3]],
  ['n', 'gt', '20', [3]],
  ['n', 'gte', '20', [2, 3]],
  ['n', 'lt', '20', [1]],
  ['n', 'lte', '20', [1, 2]],
  ['n', 'in', '(10,30,99)', [1, 3]],
  ['n', 'is', 'null', [4]],
  ['n', 'not.is', 'null', [1, 2, 3]],
  ['n', 'not.eq', '20', [1, 3]],
  ['n', 'isdistinct', '20', [1, 3, 4]],
  ['n', 'eq(any)', '{10,20}', [1, 2]],
  ['n', 'gt(all)', '{10,20}', [3]],
  ['n', 'gte(any)', '{20,30}', [2, 3]],
  ['n', 'lt(all)', '{20,30}', [1]],
  ['n', 'lte(any)', '{10,20}', [1, 2]],
  ['word', 'like', '*fox', [1, 3, 4]],
  ['word', 'like', 'the*', [2]],
  ['word', 'ilike', 'the*', [1, 2]],
  ['word', 'like(any)', '{The*,A*}', [1, 3]],
  ['word', 'like(all)', '{*quick*,*fox}', [1, 4]],
  ['word', 'ilike(all)', '{*quick*,the*}', [1, 2]],
  ['word', 'match', '^[TA].*fox$', [1, 3]],
  ['word', 'imatch', '^the', [1, 2]],
  ['word', 'match(any)', '{^The,^A}', [1, 3]],
  ['word', 'imatch(any)', '{^THE,^a}', [1, 2, 3]],
  ['tags', 'cs', '{a}', [1, 2]],
  ['tags', 'cd', '{a,b}', [1, 2, 4]],
  ['tags', 'ov', '{a,c}', [1, 2, 3]],
  ['span', 'sl', '[9,10)', [1, 2, 4]],
  ['span', 'sr', '[7,10)', [3]],
  ['span', 'nxr', '[1,7)', [1, 4]],
  ['span', 'nxl', '[5,9)', [2, 3]],
  ['span', 'adj', '[5,9)', [1]],
  ['words', 'fts', 'fox & quick', [1, 4]],
  ['words', 'plfts', 'fox quick', [1, 4]],
  ['words', 'phfts', 'quick fox', [1]],
  ['words', 'wfts', 'fox -quick', [3]],
  ['words', 'fts(english)', 'foxes', [1, 3, 4]],
  ['words', 'fts(simple)', 'foxes', []],
])('the operator finds its rows: %s=%s.%s', async (column, operator, value, ids) => {
  expect(await idsFound(column, operator, value)).toEqual(ids)
})
