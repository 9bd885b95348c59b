import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library

beforeAll(async () => {
  library = await startLibrary()
  await library.owner.query(`
    create table public.texts (id int primary key, word text);
    grant select on public.texts to authenticated;
    insert into public.texts values (1, '7'), (2, '2026-11-22 10:20:30'), (3, 'true'), (4, '{1,2}')`)
  // If the server loaded the schema before the table existed, this unknown name makes it load the schema again.
  await library.reader.from('texts').select('id')
})
afterAll(() => library?.stop())

async function castWord(id: number, type: string): Promise<unknown> {
  const path = `texts?select=as:word::${encodeURIComponent(type)}&id=eq.${id}`
  const response = await fetch(`${library.server.url}/rest/v1/${path}`, {
    headers: { apikey: library.server.publishableKey, authorization: `Bearer ${await token()}` },
  })
  const body = (await response.json()) as { as: unknown }[] & { code: string }
  return response.ok ? body[0]?.as : body.code
}
const token = async () => (await library.reader.auth.getSession()).data.session?.access_token

it.each<[number, string, unknown]>([
  ...['int', 'integer', 'int4', 'smallint', 'int2', 'bigint', 'int8', 'real', 'float4', 'float', 'float8'].map(
    (type): [number, string, unknown] => [1, type, 7],
  ),
  ...['double precision', 'decimal', 'numeric', 'INTEGER'].map((type): [number, string, unknown] => [1, type, 7]),
  ...['text', 'varchar', 'character varying', 'bpchar', 'character'].map((type): [number, string, unknown] => [
    1,
    type,
    '7',
  ]),
  [2, 'timestamp', '2026-11-22T10:20:30'],
  [2, 'timestamp without time zone', '2026-11-22T10:20:30'],
  [2, 'timestamptz', '2026-11-22T10:20:30+00:00'],
  [2, 'timestamp with time zone', '2026-11-22T10:20:30+00:00'],
  [2, 'time', '10:20:30'],
  [2, 'time without time zone', '10:20:30'],
  [2, 'time with time zone', '10:20:30+00'],
  [2, 'date', '2026-11-22'],
  [3, 'bool', true],
  [3, 'boolean', true],
  [4, 'int[]', [1, 2]],
  [4, 'double precision[]', [1, 2]],
  [1, 'no_such_type', '42704'],
  [1, 'int4; drop table texts', 'PGRST100'],
])('the text of row %i, cast to %s, is converted or refused', async (id, type, value) => {
  expect(await castWord(id, type)).toEqual(value)
})
