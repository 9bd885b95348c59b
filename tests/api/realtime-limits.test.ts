import { pbkdf2, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import WebSocket from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { bindings, openRawSocket, type RawSocket } from '../harness/raw-socket.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Each limit of a live connection, and what is said beyond it. */
let server: TestServer
let token: string
let brandId: string
let opened: RawSocket[] = []

beforeAll(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: '1' } })
  const { client, session } = await signUpPerson(server, 'ana@example.org')
  token = session.access_token
  brandId = randomUUID()
  await client.from('brands').insert({ id: brandId, name: 'Acme', slug: 'acme' })
})
afterEach(async () => {
  for (const socket of opened) socket.close()
  await Promise.all(opened.map(({ closed }) => closed))
  opened = []
  await sleep(50)
})
afterAll(() => server?.stop())

async function open(address = '198.51.100.1'): Promise<RawSocket> {
  const socket = await openRawSocket(server, address)
  opened.push(socket)
  return socket
}

async function member(address?: string): Promise<RawSocket> {
  const socket = await open(address)
  expect(await socket.join('hello', {}, token)).toBe('ok')
  return socket
}

async function newMember(name: string): Promise<string> {
  return (await signUpPerson(server, `${name}-${randomUUID()}@example.org`)).session.access_token
}

describe('sockets', () => {
  it('20 of a network that are not signed in, by the trusted address and the /64', async () => {
    for (let i = 0; i < 20; i++) await open('2001:db8::1')
    await expect(open('2001:db8::2')).rejects.toThrow(
      '429 {"message":"Too many live connections from your network that are not signed in: at most 20',
    )
    await open('2001:db8:0:1::2')
    await open('198.51.100.7')
  })

  it('a place is free again when its socket goes or signs in', async () => {
    const first = await open()
    for (let i = 1; i < 20; i++) await open()
    await expect(open()).rejects.toThrow('429')
    expect(await first.join('hello', {}, token)).toBe('ok')
    await open()
    await expect(open()).rejects.toThrow('429')
    opened[3]?.close()
    await opened[3]?.closed
    await sleep(50)
    await open()
  })

  it('50 of a user, from anywhere', async () => {
    for (let i = 0; i < 50; i++) await member(`198.51.100.${i}`)
    const last = await open('203.0.113.1')
    expect(await last.join('hello', {}, token)).toContain('Too many live connections of this account: at most 50')
    const other = await open('203.0.113.1')
    expect(await other.join('hello', {}, await newMember('bo'))).toBe('ok')
  })
})

describe('channels and bindings', () => {
  it('somebody who is not signed in has channels and a heartbeat, but hears no changes', async () => {
    const socket = await open()
    expect(await socket.ask(null, 'phoenix', 'heartbeat', {})).toBe('ok')
    expect(await socket.join('empty')).toBe('ok')
    expect(await socket.join('changes', bindings(1))).toBe('ok')
    await sleep(100)
    expect(socket.heard.at(-1)?.[4]).toMatchObject({
      status: 'error',
      message: 'Unable to subscribe to changes: Sign in to hear changes: they are told to members only',
    })
  })

  it('10 channels without a sign-in, 100 with', async () => {
    const nobody = await open()
    for (let i = 0; i < 10; i++) expect(await nobody.join(`c${i}`)).toBe('ok')
    await sleep(1_100)
    expect(await nobody.join('more')).toContain('Too many channels: at most 10 on one connection')
    const one = await member()
    for (let i = 1; i < 100; i++) expect(await one.join(`c${i}`, {}, token)).toBe('ok')
    await sleep(200)
    expect(await one.join('more', {}, token)).toContain('Too many channels: at most 100 on one connection')
  })

  it('100 bindings of a channel, 100 of a socket, 500 of a user', async () => {
    const mine = await newMember('cy')
    const first = await open()
    expect(await first.join('much', bindings(101), mine)).toBe('Too many bindings of a channel: at most 100')
    expect(await first.join('a', bindings(60), mine)).toBe('ok')
    expect(await first.join('b', bindings(41), mine)).toContain('Too many bindings: at most 100 on one connection')
    expect(await first.join('c', bindings(40), mine)).toBe('ok')
    for (let i = 1; i < 5; i++) expect(await (await open()).join('a', bindings(100), mine)).toBe('ok')
    expect(await (await open()).join('a', bindings(1), mine)).toContain(
      'Too many bindings of this account: at most 500',
    )
  })

  it('a filter of 5,000 characters', async () => {
    const filter = `name=eq.${'x'.repeat(5_000)}`
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'deals', filter }] }
    expect(await (await open()).join('long', config, token)).toBe('A filter has at most 5000 characters')
  })

  it('joins a second', async () => {
    const socket = await open()
    const answers = await Promise.all(Array.from({ length: 30 }, () => socket.join('same')))
    expect(answers.slice(0, 10)).toEqual(Array(10).fill('ok'))
    expect(answers.at(-1)).toBe('Too many joins: at most 1 a second. Try again in a second')
    await sleep(1_100)
    expect(await socket.join('same')).toBe('ok')
  })
})

describe('what comes in', () => {
  it('messages and bytes a second', async () => {
    const quick = await open()
    for (let i = 0; i < 150; i++) quick.send(null, '1', 'phoenix', 'heartbeat', {})
    expect(await quick.closed).toEqual({ code: 1008, reason: 'Too many messages: at most 100 a second' })
    const large = await open()
    for (let i = 0; i < 8; i++) large.send(null, '1', 'phoenix', 'x', { text: 'x'.repeat(200_000) })
    expect(await large.closed).toEqual({ code: 1008, reason: 'Too much at once: at most 256 KiB a second' })
  })

  it('pongs that nobody asked for count as messages', async () => {
    const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.publishableKey}`
    const socket = new WebSocket(url, { headers: { 'x-forwarded-for': '198.51.100.9' } })
    await once(socket, 'open')
    const closed = once(socket, 'close')
    for (let i = 0; i < 150; i++) socket.pong()
    const ended = await Promise.race([closed, sleep(1_000).then(() => [0, ''])])
    socket.terminate()
    expect([ended[0], String(ended[1])]).toEqual([1008, 'Too many messages: at most 100 a second'])
  })

  it('tokens that must be checked', async () => {
    const socket = await open()
    for (let i = 0; i < 30; i++) socket.send('1', '1', 'realtime:x', 'phx_join', { access_token: `a.b.${i}` })
    expect(await socket.closed).toEqual({ code: 1008, reason: 'Too many tokens: at most 2 new ones a second' })
  })
})

describe('what people say', () => {
  const config = { private: true, broadcast: { ack: true }, presence: { key: 'x', enabled: true } }

  async function talker() {
    const socket = await open()
    const topic = `brand:${brandId}`
    expect(await socket.join(topic, config, token)).toBe('ok')
    const say = (text: string) =>
      socket.ask('1', `realtime:${topic}`, 'broadcast', { type: 'broadcast', event: 'x', payload: { text } })
    const track = (text: string) =>
      socket.ask('1', `realtime:${topic}`, 'presence', { type: 'presence', event: 'track', payload: { text } })
    return { say, track }
  }

  it('the size of a broadcast and of a presence', async () => {
    const { say, track } = await talker()
    expect(await say('x'.repeat(200_000))).toContain('A broadcast has at most 65536 bytes; this one has 200')
    expect(await say('x'.repeat(60_000))).toBe('ok')
    expect(await track('x'.repeat(5_000))).toContain('A presence has at most 4096 bytes; this one has 50')
    expect(await track('here')).toBe('ok')
  })

  it('broadcasts a second of a user, over all sockets', async () => {
    const talkers = [await talker(), await talker(), await talker()]
    const answers = await Promise.all(
      Array.from({ length: 240 }, (_, i) => (talkers[i % 3] ?? talkers[0]!).say('short')),
    )
    expect(answers.filter((answer) => answer === 'ok').length).toBeGreaterThanOrEqual(60)
    expect(answers).toContain('Too many broadcasts: at most 20 a second. Try again in a second')
  })

  it('whoever chooses the name of a built-in as their key hides nobody', async () => {
    const topic = `brand:${brandId}`
    for (const key of ['__proto__', 'constructor']) {
      const one = await open()
      expect(await one.join(topic, { ...config, presence: { key, enabled: true } }, token)).toBe('ok')
      const track = { type: 'presence', event: 'track', payload: { at: key } }
      expect(await one.ask('1', `realtime:${topic}`, 'presence', track)).toBe('ok')
    }
    const other = await open()
    expect(await other.join(topic, config, token)).toBe('ok')
    await sleep(100)
    const state = other.heard.find(([, , , event]) => event === 'presence_state')?.[4] ?? {}
    expect(Object.getOwnPropertyNames(state)).toEqual(expect.arrayContaining(['__proto__', 'constructor']))
  })
})

describe('a socket that goes while something is asked for it', () => {
  it('leaves nothing that counts among the channels of the user whose token it brought', async () => {
    const mine = await newMember('dee')
    const sockets = await Promise.all([1, 2, 3, 4, 5].map((i) => open(`192.0.2.${i}`)))
    for (const socket of sockets) expect(await socket.join('a', bindings(100))).toBe('ok')
    // While all threads are busy no signature is checked.
    const hash = promisify(pbkdf2)
    const busy = Promise.all(Array.from({ length: 8 }, () => hash('x', 'y', 400_000, 32, 'sha512')))
    for (const socket of sockets) {
      socket.send('1', '2', 'realtime:a', 'access_token', { access_token: mine })
    }
    await sleep(50)
    for (const socket of sockets) socket.close()
    await busy
    await sleep(300)
    expect(await (await open()).join('a', bindings(1), mine)).toBe('ok')
  })

  it('is not seen in its topic', async () => {
    const socket = await open()
    const topic = `brand:${brandId}`
    const config = { private: true, presence: { key: 'ghost', enabled: true } }
    expect(await socket.join(topic, config, token)).toBe('ok')
    await sleep(1_100)
    const owner = await server.database!.owner.connect()
    await owner.query('begin; lock table realtime.messages in access exclusive mode')
    socket.send('1', '9', `realtime:${topic}`, 'presence', { type: 'presence', event: 'track', payload: {} })
    await sleep(100)
    socket.close()
    await sleep(100)
    await owner.query('commit')
    owner.release()
    await sleep(300)
    const { rows } = await server.database!.owner.query(`select from realtime.presences where key = 'ghost'`)
    expect(rows).toHaveLength(0)
  })
})
