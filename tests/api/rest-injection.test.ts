import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Statement } from '#server/db/as-caller.ts'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
let runStatements: string[] = []

beforeAll(async () => {
  library = await startLibrary()
  const requests = library.server.database?.requests
  if (!requests) throw new Error('this test listens to the statements of a server in its own process')
  const original = requests.run.bind(requests)
  requests.run = (context, statements: readonly Statement[], signal) => {
    runStatements.push(...statements.map((statement) => statement.text))
    return original(context, statements, signal)
  }
})
afterAll(() => library?.stop())

/** Texts that would end a literal, an identifier, a comment or a statement if they were pasted into SQL. */
const payloads = [
  "' or '1'='1",
  "'; drop table books; --",
  '"; drop table books; --',
  '" or "1"="1',
  "1; delete from books where 't'='t",
  '1 union select password from auth.users',
  ') union all select usename from pg_user --',
  "')) or pg_sleep(9)--",
  '/**/or/**/1=1',
  '--',
  '/*',
  '$1',
  '$$;drop table books;$$',
  '\\',
  "\\'; drop table books; --",
  "E'\\'' or 1=1",
  "x'::text; set role postgres; --",
  'books"; set role postgres; select "1',
  "pg_catalog.pg_read_file('/etc/passwd')",
  '"public"."vault"',
  '* from vault --',
  'id) from vault --',
  'id"::text from public.vault as t0 --',
  'chr(39)||(select word from vault)||chr(39)',
  '%27%20or%201=1--',
  '\u02bc or 1=1',
  '\uff07 or 1=1',
  'null',
  "case when (select count(*) from vault)>0 then 'a' else 'b' end",
  'id=(select 1 from vault)',
]

/**
 * The places of a request into which the test puts each payload: filter values and names, trees, lists, select, alias, cast, arrows, embeds, hints,
 * order, arguments.
 */
const injectionPoints: ((payload: string) => { path: string; body?: string; headers?: Record<string, string> })[] = [
  (p) => ({ path: `books?title=eq.${p}` }),
  (p) => ({ path: `books?${p}=eq.1` }),
  (p) => ({ path: `books?title=in.(${p})` }),
  (p) => ({ path: `books?or=(title.eq.${p},id.eq.1)` }),
  (p) => ({ path: `books?or=(${p}.eq.1)` }),
  (p) => ({ path: `books?select=${p}` }),
  (p) => ({ path: `books?select="${p.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}":id&limit=1` }),
  (p) => ({ path: `books?select=id::${p}` }),
  (p) => ({ path: `books?select=meta->>"${p.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"&limit=1` }),
  (p) => ({ path: `books?select=id,${p}(name)` }),
  (p) => ({ path: `books?select=id,authors!${p}(name)` }),
  (p) => ({ path: `books?order=${p}` }),
  (p) => ({ path: `books?order=id.${p}` }),
  (p) => ({ path: `books?limit=${p}` }),
  (p) => ({ path: `books?title=fts(${p}).x` }),
  (p) => ({ path: `books?id=${p}.1` }),
  (p) => ({ path: `rpc/echo?j=1&s=${p}` }),
  (p) => ({ path: `rpc/echo`, body: JSON.stringify({ j: p, s: p, t: [p] }) }),
  (p) => ({ path: `rpc/${p}`, body: '{}' }),
  (p) => ({ path: `rpc/add`, body: JSON.stringify({ a: p, [p]: 1 }) }),
  (p) => ({ path: `books?columns=${p}`, body: '{"id":1}' }),
  (p) => ({
    path: `books?on_conflict=${p}`,
    body: '{"id":1,"title":"x"}',
    headers: { prefer: 'resolution=merge-duplicates' },
  }),
  (p) => ({ path: `books`, body: JSON.stringify({ [p]: 1 }) }),
]

describe('payloads that contain SQL', () => {
  it('payloads that contain SQL stay values, cause no 5xx, and never change the shape of a statement', async () => {
    runStatements = []
    await ordinaryRequests()
    const vocabulary = new Set(runStatements.flatMap(words))
    runStatements = []
    let sentCount = 0
    for (const payload of payloads) {
      const responses = await Promise.all(injectionPoints.map((pointOf) => send(pointOf(payload))))
      sentCount += responses.length
      for (const { status, text, path } of responses) {
        expect(status, `${path}\n${text}`).toBeLessThan(500)
        expect(text).not.toMatch(/hidden|root:x:/)
      }
    }
    expect(sentCount).toBeGreaterThanOrEqual(500)
    expect(runStatements.length).toBeGreaterThan(100)
    for (const statement of runStatements) {
      for (const word of words(statement)) expect(vocabulary, `${word} in ${statement}`).toContain(word)
    }
    const { rows } = await library.owner.query('select count(*)::int as books from public.books where id <= 4')
    expect(rows).toEqual([{ books: 4 }])
  }, 60_000)
})

/** Sends requests of every kind, without a payload. The statements of other requests may contain only the words of these statements. */
async function ordinaryRequests(): Promise<void> {
  const requests: ReturnType<(typeof injectionPoints)[number]>[] = [
    ...['eq.1', 'in.(1)', 'lt.1', 'not.eq.1'].map((filter) => ({ path: `books?id=${filter}` })),
    { path: 'books?select=id,title,meta->>x,authors(name)&or=(title.eq.a,id.eq.1,and(id.gt.1))&order=id.desc&limit=1' },
    { path: 'books?select=id::text,reviews(*)&limit=1&offset=1' },
    { path: 'books?title=fts(english).x&limit=1' },
    { path: 'rpc/echo?j=1&s=x' },
    { path: 'rpc/echo', body: '{"j":1,"s":"x","t":[]}' },
    { path: 'rpc/add', body: '{"a":1}' },
    { path: 'books', body: '{"id":1,"title":"x"}' },
    { path: 'books', body: '{"id":1,"title":"x"}', headers: { prefer: 'resolution=merge-duplicates' } },
  ]
  await Promise.all(requests.map(send))
}

/** Returns the words of a statement outside of quoted names and literals. */
function words(statement: string): string[] {
  return statement
    .replace(/"(?:[^"]|"")*"/g, ' ')
    .replace(/'(?:[^']|'')*'/g, ' ')
    .split(/[\s(),.;:=<>|]+/)
    .filter((word) => word !== '' && !/^\$?\d+$/.test(word))
}

async function send(
  request: ReturnType<(typeof injectionPoints)[number]>,
): Promise<{ status: number; text: string; path: string }> {
  const { url, secretKey } = library.server
  const [resource, query] = splitOnce(request.path)
  const path = `${resource.split('/').map(encodeURIComponent).join('/')}?${encodeQuery(query)}`
  const headers = { apikey: secretKey, 'content-type': 'application/json', ...request.headers }
  const response = await fetch(`${url}/rest/v1/${path}`, {
    method: request.body === undefined ? 'GET' : 'POST',
    headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  return { status: response.status, text: await response.text(), path }
}

function splitOnce(path: string): [string, string] {
  const questionMark = path.indexOf('?')
  return questionMark < 0 ? [path, ''] : [path.slice(0, questionMark), path.slice(questionMark + 1)]
}

/** Percent-encodes the name and the value of each parameter. The name ends at the first `=`. */
function encodeQuery(query: string): string {
  const equals = query.indexOf('=')
  if (equals < 0) return ''
  return query
    .split('&')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0
        ? encodeURIComponent(part)
        : `${encodeURIComponent(part.slice(0, at))}=${encodeURIComponent(part.slice(at + 1))}`
    })
    .join('&')
}
