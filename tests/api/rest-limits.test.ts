import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindValues } from '#server/rest/bind-values.ts'
import { compile } from '#server/rest/compile.ts'
import { loadSchema } from '#server/rest/load-schema.ts'
import { parseRequest } from '#server/rest/parse-request.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import { signUpPerson } from '../harness/client.ts'
import { rawConnection } from '../harness/raw-http.ts'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
let token: string
beforeAll(async () => {
  library = await startLibrary({ TRUST_PROXY: '1' })
  token = (await library.reader.auth.getSession()).data.session?.access_token ?? ''
  await library.owner.query(`
    create table public.shelves (id int primary key, label text, data jsonb);
    create table public.boxes (id int primary key, shelf_id int not null references public.shelves, content text);
    create function public.blob(bytes int) returns json language sql stable as $$ select ('"' || repeat('x', bytes) || '"')::json $$;
    create function public.some_boxes() returns setof public.boxes language sql stable as $$ select * from public.boxes where id <= 540 $$;
    create function public.numbers(n int) returns setof int language sql stable as $$ select generate_series(1, n) $$;
    insert into public.shelves select i, repeat('s', 10000), null from generate_series(1, 60) as i;
    insert into public.boxes select i, 1 + i % 60, repeat('b', 10000) from generate_series(1, 600) as i;
    grant select, insert, update, delete on public.shelves, public.boxes to authenticated;
    notify pgrst`)
  await library.reader.from('shelves').select('id').limit(1)
})
afterAll(async () => {
  // The generation increases when the database is reachable again after it counted as unreachable. No test may cause that.
  expect(library.server.database?.generation).toBe(generation)
  await library?.stop()
})
let generation: number | undefined
beforeAll(() => {
  generation = library.server.database?.generation
})

function send(target: string, more: { method?: string; body?: string; headers?: Record<string, string> } = {}) {
  return fetch(`${library.server.url}/rest/v1/${target}`, { ...more, headers: { ...headers(), ...more.headers } })
}

const headers = () => ({
  apikey: library.server.publishableKey,
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

async function firstLine(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString('latin1').split('\r\n')[0] ?? ''
}

const repeated = (n: number, item: (i: number) => string, joint = ',') =>
  Array.from({ length: n }, (_, i) => item(i)).join(joint)
const newBoxes = Array.from({ length: 70 }, (_, i) => ({ id: 2000 + i, shelf_id: 2, content: 'n'.repeat(10_000) }))
const nestedEmbeds = (depth: number): string =>
  depth === 0 ? 'id' : `id,${depth % 2 ? 'boxes' : 'shelves'}(${nestedEmbeds(depth - 1)})`
/** Returns the given number of conditions on the embed of each level of `nestedEmbeds`. */
const conditionsOnEmbeds = (count: number) =>
  ['shelves', 'boxes', 'shelves', 'boxes', 'shelves', 'boxes']
    .map((_, i, all) => repeated(count, () => `${all.slice(0, i + 1).join('.')}=not.is.null`, '&'))
    .join('&')

describe('limits of a request', () => {
  it.each([
    [
      '101 columns',
      `shelves?select=${repeated(101, (i) => `a${i}:label`)}`,
      'PGRST100',
      'More than 100 columns of one resource are selected. Select fewer, or *',
    ],
    [
      'many stars in a select',
      `shelves?select=${repeated(40, () => '*')}`,
      'PGRST100',
      'More than 100 columns of one resource',
    ],
    [
      '301 columns over embeds',
      `boxes?select=${repeated(4, (i) => `e${i}:shelves(${repeated(76, (j) => `a${j}:id`)})`)}`,
      'PGRST100',
      'More than 300 columns in all',
    ],
    [
      '21 embeds',
      `boxes?select=id,${repeated(21, (i) => `e${i}:shelves(id)`)}`,
      'PGRST100',
      'More than 20 embedded resources. Request some of them separately',
    ],
    ['7 embeds inside each other', `boxes?select=${nestedEmbeds(8)}`, 'PGRST100', 'at most 6 levels of embedding'],
    ['201 filters', `boxes?${repeated(201, () => 'id=eq.1', '&')}`, 'PGRST100', 'More than 200 filters. Use in.(…)'],
    ['201 filters in a tree', `boxes?or=(${repeated(201, () => 'id.eq.1')})`, 'PGRST100', 'More than 200 filters'],
    ['401 parameters', `boxes?${repeated(401, () => 'limit=1', '&')}`, 'PGRST100', 'More than 400 parameters'],
    ['21 columns to order by', `boxes?order=${repeated(21, () => 'id')}`, 'PGRST100', 'at most 20 columns to order by'],
    [
      '17 steps into JSON',
      `shelves?select=data${repeated(17, (i) => `->k${i}`, '')}`,
      'PGRST100',
      'at most 16 steps into JSON',
    ],
    [
      'conditions on nested embeds',
      `boxes?select=${nestedEmbeds(6)}&${conditionsOnEmbeds(30)}`,
      'PGRST100',
      'More than 40 conditions on embedded resources, or 1000 filters, where conditions inside an embedded resource count each time',
    ],
    [
      '41 conditions on an embed',
      `boxes?select=id,shelves(id)&or=(${repeated(41, () => 'shelves.is.null')})`,
      'PGRST100',
      'More than 40 conditions on embedded resources',
    ],
    [
      'orders by an embed with many conditions',
      `boxes?select=id,shelves(id)&${repeated(99, () => 'shelves.id=gt.0', '&')}&order=${repeated(20, () => 'shelves(id)')}`,
      'PGRST100',
      'More than 40 conditions on embedded resources, or 1000 filters',
    ],
    ['33 levels of a tree', `boxes?or=${'(and'.repeat(34)}(id.eq.1)${')'.repeat(34)}`, 'PGRST100', 'at most 32 levels'],
  ])('a request beyond its limits is refused with 400: %s', async (_what, target, code, sentence) => {
    const response = await send(target)
    const body = await response.json()
    expect({ status: response.status, code: body.code }).toEqual({ status: 400, code })
    expect(`${body.message} ${body.details}`).toContain(sentence)
  })

  it.each([
    ['100 columns', `shelves?limit=1&select=${repeated(100, (i) => `a${i}:id`)}`],
    ['20 embeds', `boxes?limit=1&select=id,${repeated(20, (i) => `e${i}:shelves(id)`)}`],
    ['6 embeds inside each other', `boxes?limit=1&select=${nestedEmbeds(6)}`],
    ['conditions on 6 nested embeds', `boxes?limit=1&select=${nestedEmbeds(6)}&${conditionsOnEmbeds(1)}`],
    ['200 filters', `boxes?or=(${repeated(200, () => 'id.eq.1')})`],
    ['an in-list of 2,000', `boxes?select=id&limit=1&id=in.(${repeated(2000, String)})`],
  ])('a request is accepted just below its limits: %s', async (_what, target) => {
    const response = await send(target)
    expect(await response.text().then((text) => text.slice(0, 300))).not.toContain('"code"')
    expect(response.status).toBe(200)
  })

  it('a query of more than 16 kB is refused with 431', async () => {
    expect((await send(`boxes?id=in.(${repeated(5000, String)})`)).status).toBe(431)
  })

  it('a body of more than 10,000 rows is refused with 400', async () => {
    const response = await send('boxes', { method: 'POST', body: `[${repeated(10_001, (i) => `{"id":${i}}`)}]` })
    expect(response.status).toBe(400)
    expect((await response.json()).message).toBe('More than 10000 rows in the body. Send them in several requests')
  })

  it('an object of more than 1,600 keys is refused with 400', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 1601 }, (_, i) => [`k${i}`, 1])))
    const response = await send('boxes', { method: 'POST', body })
    expect(response.status).toBe(400)
    expect((await response.json()).message).toBe('More than 1600 keys in an object')
  })

  it('a function that returns many values returns at most the maximum number of rows', async () => {
    const response = await send('rpc/numbers', { method: 'POST', body: '{"n":5000}' })
    expect(await response.json()).toHaveLength(1000)
  })
})

describe('a regular expression', () => {
  it.each(['match', 'm%61tch', 'not.i%6Datch'])(
    'a regular expression spelled %s is stopped after 2 seconds',
    async (operator) => {
      // The locked table makes the statement wait without using the processor. Other statements may run for 8 s, and wait for a lock
      // for 4 s. fair-shares.test.ts has a regular expression that is slow itself.
      const holder = await library.owner.connect()
      await holder.query('begin; lock table public.shelves')
      const startedAt = performance.now()
      const response = await send(`shelves?select=id&id=eq.98&label=${operator}.a`)
      const elapsedMs = performance.now() - startedAt
      await holder.query('rollback')
      holder.release()
      expect(response.status).toBe(504)
      expect(elapsedMs).toBeLessThan(6_000)
    },
  )
})

describe('limits of a response', () => {
  const refusalBody = {
    code: 'answer_too_large',
    message:
      'The response is larger than 32 MB. Select fewer columns or embedded resources, or request fewer rows with limit or Range',
    details: null,
    hint: null,
  }

  it.each([
    ['aliases of a large column', `boxes?select=${repeated(100, (i) => `a${i}:content`)}`],
    ['nested embeds', 'boxes?select=content,shelves(label,boxes(content,shelves(label,boxes(content))))'],
    [
      'an embed that holds too much alone',
      `shelves?limit=1&select=id,boxes(id,shelves(boxes(${repeated(40, (i) => `a${i}:content`)})))`,
    ],
  ])('a response that is too large gets 413 and a message that says what to do: %s', async (_what, target) => {
    const response = await send(target)
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 413, body: refusalBody })
  })

  it('nothing is written if the returned rows of a write are too large', async () => {
    const response = await send(`boxes?id=gt.0&select=${repeated(100, (i) => `a${i}:content`)}`, {
      method: 'PATCH',
      body: '{"shelf_id":1}',
      headers: { prefer: 'return=representation' },
    })
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 413, body: refusalBody })
    const { rows } = await library.owner.query('select count(*)::int as n from public.boxes where shelf_id = 1')
    expect(rows[0].n).toBe(10)
  })

  // These responses exceed the limit of the statement, but not the limit of the connection, so only the statement's check can refuse them.
  const sixAliases = repeated(6, (i) => `a${i}:content`)
  it.each([
    ['aliases', `boxes?id=lte.540&select=${sixAliases}`, {}],
    ['stars', `boxes?id=lte.540&select=${repeated(6, () => '*')}`, {}],
    ['nested embeds', 'shelves?id=lte.30&select=boxes(content,shelves(boxes(content)))', {}],
    ['rows of a function', `rpc/some_boxes?select=${sixAliases}`, { method: 'POST', body: '{}' }],
    ['a write', `boxes?id=lte.540&select=${sixAliases}`, { method: 'PATCH', body: '{"shelf_id":2}' }],
    [
      'a list of new rows',
      `boxes?select=${repeated(46, (i) => `a${i}:content`)}`,
      { method: 'POST', body: JSON.stringify(newBoxes) },
    ],
  ])('the size of a response is counted by the statement while it builds the JSON: %s', async (_what, target, more) => {
    const response = await send(target, { ...more, headers: { prefer: 'return=representation' } })
    const { status } = response
    expect({ status, size: (await response.text()).length < 1000 }).toEqual({ status: 413, size: true })
    const { rows } = await library.owner.query('select count(*)::int as n from public.boxes where shelf_id = 2')
    expect(rows[0].n).toBe(10)
  })

  it('an embedded list fails as soon as it is too large, not at the end of its row', async () => {
    const query = `limit=1&select=id,boxes(id,shelves(boxes(${repeated(40, (i) => `a${i}:content`)})))`
    const request = { method: 'GET', path: '/rest/v1/shelves', query, headers: {}, body: Buffer.alloc(0) }
    const parsed = parseRequest(request as unknown as HttpRequest, 'public', 1000)
    const { built } = compile(parsed, await loadSchema(library.owner, 'public'), 1000)
    const message = await library.owner.query(built.text, bindValues(built.values, parsed.slots)).then(
      () => '',
      (error: Error) => error.message,
    )
    const bytes = Number(/bytes: (\d+)/.exec(message)?.[1])
    expect(bytes).toBeGreaterThan(32_000_000)
    expect(bytes).toBeLessThan(37_000_000)
  })

  it('the connection is dropped if the result of a function is too large, and the next request is served', async () => {
    for (let i = 0; i < 2; i++) {
      const response = await send('rpc/blob', { method: 'POST', body: '{"bytes":34000000}' })
      expect({ status: response.status, body: await response.json() }).toEqual({ status: 413, body: refusalBody })
    }
    expect((await send('boxes?select=id&limit=1')).status).toBe(200)
    // The database did not count as unreachable, and the schema was not reloaded.
    expect(library.server.database?.generation).toBe(generation)
  })

  it('a response just below the limit is complete, compressed or not', async () => {
    for (const bytes of [100, 16_000, 66_000, 300_000, 1_500_000, 33_000_000]) {
      for (const coding of bytes > 1_000_000 ? ['identity'] : ['identity', 'gzip']) {
        const response = await send('rpc/blob', {
          method: 'POST',
          body: JSON.stringify({ bytes }),
          headers: { 'accept-encoding': coding },
        })
        expect(response.status).toBe(200)
        expect((await response.text()).length).toBe(bytes + 2)
      }
    }
  })

  it('large rows of multi-byte characters arrive unchanged, wherever the stream is cut', async () => {
    await library.owner.query(`insert into public.shelves values (99, repeat('ä€😀"\\', 2500), '{"a": 1}')`)
    const { data } = await library.reader.from('shelves').select('label,data').eq('id', 99).single()
    expect(data).toEqual({ label: 'ä€😀"\\'.repeat(2500), data: { a: 1 } })
    const { data: rows } = await library.reader.from('boxes').select('id,content,shelves(label)').order('id')
    expect(rows).toHaveLength(600)
    expect(rows?.every((row) => row.content.length === 10_000)).toBe(true)
    await library.owner.query('delete from public.shelves where id = 99')
  })
})

describe('many large bodies at once', () => {
  it.each([
    ['address', () => '198.51.100.1'],
    ['/64', (i: number) => `2001:db8::${i}`],
  ])(
    'many large bodies of one %s at once are refused with 503, and accepted again once the earlier ones have gone',
    async (_network, address) => {
      const head = (i: number) =>
        `POST /rest/v1/boxes HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address(i)}\r\n${Object.entries(headers())
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}Content-Length: 780000\r\n\r\n`
      // Each body is complete except for its last bytes.
      const unfinishedRequest = (i: number) => head(i) + ' '.repeat(779_000)
      const sockets = Array.from({ length: 70 }, (_, i) => rawConnection(library.server.url, unfinishedRequest(i)))
      try {
        const responses = await Promise.all(
          sockets.map((socket) => Promise.race([firstLine(socket), sleep(5000).then(() => 'waits')])),
        )
        const refusedResponses = responses.filter((response) => response === 'HTTP/1.1 503 Service Unavailable')
        expect(refusedResponses.length).toBeGreaterThan(2)
        expect(refusedResponses.length).toBeLessThan(12)
        expect(responses.filter((response) => response === 'waits')).toHaveLength(70 - refusedResponses.length)
        expect((await send('boxes?id=eq.0', { method: 'PATCH', body: '{"shelf_id":1}' })).status).toBe(204)
      } finally {
        for (const socket of sockets) socket.destroy()
      }
      await sleep(300)
      const large = JSON.stringify({ id: 100_000, shelf_id: 1, content: 'x'.repeat(700_000) })
      expect((await send('boxes', { method: 'POST', body: large })).status).toBe(201)
      await library.owner.query('delete from public.boxes where id = 100000')
    },
  )
})

describe('many large responses at once', () => {
  it('many large responses to many users at once are refused with 503 beyond the limit for all users together', async () => {
    const people = await Promise.all(
      Array.from({ length: 7 }, (_, i) => signUpPerson(library.server, `many${i}@example.org`)),
    )
    const requestLarge = (person: string) => {
      const lines = Object.entries({ ...headers(), authorization: `Bearer ${person}` })
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const text = `POST /rest/v1/rpc/blob HTTP/1.1\r\nHost: x\r\n${head}Content-Length: 18\r\n\r\n{"bytes":20000000}`
      return rawConnection(library.server.url, text)
    }
    const tokens = people.map(({ session }) => session.access_token)
    const sockets = tokens.slice(0, 6).map((person) => requestLarge(person).pause())
    try {
      await sleep(2000)
      const excessSocket = requestLarge(tokens[6] ?? '')
      sockets.push(excessSocket)
      expect(await firstLine(excessSocket)).toBe('HTTP/1.1 503 Service Unavailable')
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await sleep(300)
  })

  it('many large responses to one user at once are refused with 503 beyond the user’s share, and accepted again once clients have gone', async () => {
    const requestText = `POST /rest/v1/rpc/blob HTTP/1.1\r\nHost: x\r\n${Object.entries(headers())
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}Content-Length: 18\r\n\r\n{"bytes":20000000}`
    // Three clients never read their responses.
    const sockets = Array.from({ length: 3 }, () => rawConnection(library.server.url, requestText).pause())
    try {
      await sleep(1500)
      const response = await send('rpc/blob', { method: 'POST', body: '{"bytes":20000000}' })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('1')
      expect((await response.json()).message).toBe(
        'Too many large responses are being sent. Request smaller pages, or try again in a moment',
      )
      // Small responses, and those of other users, are sent.
      expect((await send('boxes?select=id&limit=1')).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await sleep(300)
    const response = await send('rpc/blob', { method: 'POST', body: '{"bytes":20000000}' })
    expect(response.status).toBe(200)
    await response.text()
  })
})

describe('pipelined requests whose connection is reset', () => {
  const requestOf = (target: string, body: string) =>
    `POST /rest/v1/${target} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers())
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}Content-Length: ${body.length}\r\n\r\n${body}`
  const blobBody = '{"bytes":20000000}'

  it('pipelined requests whose connection is reset release the memory of their responses', async () => {
    // Three responses that stay unread would fill a user's share.
    for (let i = 0; i < 3; i++) {
      const socket = rawConnection(library.server.url, requestOf('rpc/blob', blobBody).repeat(2)).pause()
      await sleep(1_200)
      socket.resetAndDestroy()
    }
    await sleep(300)
    const response = await send('rpc/blob', { method: 'POST', body: blobBody })
    expect(response.status).toBe(200)
    await response.text()
  })

  it('pipelined requests whose connection is reset release the memory of their bodies', async () => {
    const large = JSON.stringify({ id: 100_000, shelf_id: 1, content: 'x'.repeat(700_000) })
    for (let i = 0; i < 8; i++) {
      const pipelinedRequests = requestOf('rpc/blob', blobBody) + requestOf('boxes?columns=none', large).repeat(10)
      const socket = rawConnection(library.server.url, pipelinedRequests).pause()
      await sleep(600)
      socket.resetAndDestroy()
    }
    await sleep(300)
    expect((await send('boxes', { method: 'POST', body: large })).status).toBe(201)
    await library.owner.query('delete from public.boxes where id = 100000')
  })
})
