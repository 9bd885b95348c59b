import { pbkdf2, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { signUpPerson, testClient } from '../harness/client.ts'
import { bindings, openRawSocket, type RawSocket } from '../harness/raw-socket.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Tests each limit of a live connection, and the message that a client gets beyond it. */
let server: TestServer
let token: string
let brandId: string
let openedSockets: RawSocket[] = []

beforeAll(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: '1' } })
  const { client, session } = await signUpPerson(server, 'ana@example.org')
  token = session.access_token
  brandId = randomUUID()
  await client.from('brands').insert({ id: brandId, name: 'Acme', slug: 'acme' })
})
afterEach(async () => {
  for (const socket of openedSockets) socket.close()
  await Promise.all(openedSockets.map(({ closed }) => closed))
  openedSockets = []
  await sleep(50)
})
afterAll(() => server?.stop())

async function openSocket(address = '198.51.100.1'): Promise<RawSocket> {
  const socket = await openRawSocket(server, address)
  openedSockets.push(socket)
  return socket
}

async function memberSocket(address?: string): Promise<RawSocket> {
  const socket = await openSocket(address)
  expect(await socket.join('hello', {}, token)).toBe('ok')
  return socket
}

/** Returns the code and reason with which the server has closed the socket, or 'open' if it is still open after `milliseconds`. */
function endOf(socket: RawSocket, milliseconds = 3_000) {
  return Promise.race([socket.closed, sleep(milliseconds).then(() => 'open')])
}

/** Locks the memberships while `work` runs, so that joins of private channels wait. */
async function whileMembershipsAreLocked(work: () => Promise<void>): Promise<void> {
  const blocker = await server.database!.owner.connect()
  try {
    await blocker.query('begin')
    await blocker.query('lock table public.memberships in access exclusive mode')
    await work()
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
}

async function newMember(name: string): Promise<string> {
  return (await signUpPerson(server, `${name}-${randomUUID()}@example.org`)).session.access_token
}

describe('sockets', () => {
  it('sockets without a sign-in are limited to 20 per network, by the trusted address and the /64', async () => {
    for (let i = 0; i < 20; i++) await openSocket('2001:db8::1')
    await expect(openSocket('2001:db8::2')).rejects.toThrow(
      '429 {"message":"Too many live connections from your network that are not signed in: at most 20',
    )
    await openSocket('2001:db8:0:1::2')
    await openSocket('198.51.100.7')
  })

  it('sockets no longer count as anonymous once they close or sign in', async () => {
    const first = await openSocket()
    for (let i = 1; i < 20; i++) await openSocket()
    await expect(openSocket()).rejects.toThrow('429')
    expect(await first.join('hello', {}, token)).toBe('ok')
    await openSocket()
    await expect(openSocket()).rejects.toThrow('429')
    openedSockets[3]?.close()
    await openedSockets[3]?.closed
    await sleep(50)
    await openSocket()
  })

  it('sockets are limited to 50 per user, from anywhere', async () => {
    for (let i = 0; i < 50; i++) await memberSocket(`198.51.100.${i}`)
    const excessSocket = await openSocket('203.0.113.1')
    expect(await excessSocket.join('hello', {}, token)).toContain(
      'Too many live connections of this account: at most 50',
    )
    const socketOfBo = await openSocket('203.0.113.1')
    expect(await socketOfBo.join('hello', {}, await newMember('bo'))).toBe('ok')
  })
})

it('a socket that signs in later counts for its user from then on', async () => {
  for (let i = 0; i < 50; i++) await memberSocket(`198.51.100.${i}`)
  const lateSocket = await openSocket('203.0.113.1')
  expect(await lateSocket.join('hello')).toBe('ok')
  lateSocket.send('1', '2', 'realtime:hello', 'access_token', { access_token: token })
  await sleep(500)
  expect(JSON.stringify(lateSocket.frames)).toContain('Too many live connections of this account: at most 50')
  expect(lateSocket.frames.at(-1)?.[3]).toBe('phx_close')
})

it('a socket without a sign-in and without a channel is closed after 30 s', async () => {
  const [emptySocket, joinedSocket] = [await openSocket(), await openSocket()]
  expect(await joinedSocket.join('hello')).toBe('ok')
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000)
  try {
    const reason = 'Join a channel within 30 seconds, or sign in'
    expect(await endOf(emptySocket)).toEqual({ code: 1008, reason })
    expect(joinedSocket.isOpen()).toBe(true)
  } finally {
    vi.restoreAllMocks()
  }
})

it('a join whose socket has closed leaves no binding or channel behind', async () => {
  const closedSockets = await Promise.all(Array.from({ length: 5 }, () => openSocket()))
  await whileMembershipsAreLocked(async () => {
    const payload = { config: { private: true, ...bindings(100) }, access_token: token }
    for (const socket of closedSockets) socket.send('1', '1', `realtime:brand:${brandId}`, 'phx_join', payload)
    await sleep(300)
    for (const socket of closedSockets) socket.close()
    await Promise.all(closedSockets.map(({ closed }) => closed))
    await sleep(200)
  })
  await sleep(500)
  // An account may have 500 bindings; those of closed channels must not count.
  expect(await (await openSocket()).join('after', bindings(1), token)).toBe('ok')
})

describe('channels and bindings', () => {
  it('an anonymous socket can send heartbeats and join channels, but receives no changes', async () => {
    const socket = await openSocket()
    expect(await socket.ask(null, 'phoenix', 'heartbeat', {})).toBe('ok')
    expect(await socket.join('empty')).toBe('ok')
    expect(await socket.join('changes', bindings(1))).toBe('ok')
    await sleep(100)
    expect(socket.frames.at(-1)?.[4]).toMatchObject({
      status: 'error',
      message: 'Unable to subscribe to changes: Sign in to receive changes: only members receive them',
    })
  })

  it('a socket is limited to 10 channels without a sign-in, and 100 with one', async () => {
    const anonymous = await openSocket()
    for (let i = 0; i < 10; i++) expect(await anonymous.join(`c${i}`)).toBe('ok')
    await sleep(1_100)
    expect(await anonymous.join('more')).toContain('Too many channels: at most 10 on one connection')
    const signedInSocket = await memberSocket()
    for (let i = 1; i < 100; i++) expect(await signedInSocket.join(`c${i}`, {}, token)).toBe('ok')
    await sleep(200)
    expect(await signedInSocket.join('more', {}, token)).toContain('Too many channels: at most 100 on one connection')
  })

  it('bindings are limited to 100 per channel, 100 per socket and 500 per user', async () => {
    const ownToken = await newMember('cy')
    const first = await openSocket()
    expect(await first.join('much', bindings(101), ownToken)).toBe('Too many bindings of a channel: at most 100')
    expect(await first.join('a', bindings(60), ownToken)).toBe('ok')
    expect(await first.join('b', bindings(41), ownToken)).toContain('Too many bindings: at most 100 on one connection')
    expect(await first.join('c', bindings(40), ownToken)).toBe('ok')
    for (let i = 1; i < 5; i++) expect(await (await openSocket()).join('a', bindings(100), ownToken)).toBe('ok')
    expect(await (await openSocket()).join('a', bindings(1), ownToken)).toContain(
      'Too many bindings of this account: at most 500',
    )
  })

  it('channels are limited to 500 per user', async () => {
    const ownToken = await newMember('di')
    for (let n = 0; n < 5; n++) {
      const socket = await openSocket()
      for (let i = 0; i < 100; i++) expect(await socket.join(`c${i}`, {}, ownToken)).toBe('ok')
    }
    await sleep(500)
    expect(await (await openSocket()).join('more', {}, ownToken)).toContain(
      'Too many channels of this account: at most 500',
    )
  }, 60_000)

  it('the filters of bindings are limited to 5,000 characters', async () => {
    const filter = `name=eq.${'x'.repeat(5_000)}`
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'deals', filter }] }
    expect(await (await openSocket()).join('long', config, token)).toBe('A filter has at most 5000 characters')
  })

  it('the topics of channels are limited to 255 characters: the official client gets the reason at once', async () => {
    const client = testClient(server)
    const topicOf = (length: number) => 'x'.repeat(length - 'realtime:'.length)
    const join = (length: number) =>
      new Promise<string>((resolve) =>
        client
          .channel(topicOf(length))
          .subscribe((status, error) => resolve(`${status} ${JSON.stringify(error?.cause ?? {})}`)),
      )
    const refusal = 'The topic is too long: at most 255 characters'
    expect(await join(256)).toBe(`CHANNEL_ERROR {"reason":"${refusal}"}`)
    expect(await join(255)).toBe('SUBSCRIBED {}')
    await client.realtime.disconnect()
    const socket = await openSocket()
    expect(await socket.join('x'.repeat(4_000))).toBe(refusal)
    // A reply contains the topic and the reason, not the payload of the message.
    expect(await socket.ask(null, 'x'.repeat(256), 'broadcast', { text: 'x'.repeat(10_000) })).toBe('unmatched topic')
    for (const frame of socket.frames) expect(JSON.stringify(frame).length - frame[2].length).toBeLessThan(200)
  })

  it('joins of channels are limited to 10 at once, and one a second, without a sign-in', async () => {
    const socket = await openSocket()
    const replies = await Promise.all(Array.from({ length: 30 }, () => socket.join('same')))
    expect(replies.slice(0, 10)).toEqual(Array(10).fill('ok'))
    expect(replies.at(-1)).toBe('Too many joins: at most 1 a second. Try again in a second')
    await sleep(1_100)
    expect(await socket.join('same')).toBe('ok')
  })
})

describe('joins of a member', () => {
  it('the joins of a member are limited to 100 at once and 10 a second for one socket', async () => {
    const socket = await openSocket()
    const ownToken = await newMember('jo')
    let reply = 'ok'
    for (let i = 0; i < 400 && reply === 'ok'; i++) {
      reply = await socket.join('same', {}, ownToken)
      // Sends fewer messages per second than a connection may send.
      await sleep(12)
    }
    expect(reply).toBe('Too many joins: at most 10 a second. Try again in a second')
  })

  it('the joins of a member are limited to 500 at once and 50 a second over all sockets', async () => {
    const ownToken = await newMember('kay')
    const sockets = await Promise.all(Array.from({ length: 12 }, () => openSocket()))
    const replies = await Promise.all(
      sockets.flatMap((socket) => Array.from({ length: 95 }, () => socket.join('same', {}, ownToken))),
    )
    expect(replies).toContain('Too many joins: at most 50 a second. Try again in a second')
  })
})

describe('incoming messages', () => {
  it('incoming messages are limited to 256 KiB each', async () => {
    const socket = await openSocket()
    socket.send(null, '1', 'phoenix', 'x', { text: 'x'.repeat(300_000) })
    expect(await endOf(socket)).toMatchObject({ code: 1009 })
  })

  it('incoming messages are limited in number while they wait', async () => {
    const ownToken = await newMember('lou')
    const socket = await openSocket()
    await whileMembershipsAreLocked(async () => {
      const payload = { config: { private: true }, access_token: ownToken }
      socket.send('1', '1', `realtime:brand:${brandId}`, 'phx_join', payload)
      for (let i = 0; i < 130; i++) {
        socket.send(null, '1', 'phoenix', 'heartbeat', {})
        await sleep(12)
      }
      expect(await endOf(socket, 500)).toEqual({ code: 1008, reason: 'Too many messages: at most 100 a second' })
    })
  })

  it('incoming messages are limited to 100 messages and 256 KiB a second', async () => {
    const quick = await openSocket()
    for (let i = 0; i < 150; i++) quick.send(null, '1', 'phoenix', 'heartbeat', {})
    expect(await endOf(quick)).toEqual({ code: 1008, reason: 'Too many messages: at most 100 a second' })
    const large = await openSocket()
    for (let i = 0; i < 8; i++) large.send(null, '1', 'phoenix', 'x', { text: 'x'.repeat(200_000) })
    expect(await endOf(large)).toEqual({ code: 1008, reason: 'Too many bytes: at most 256 KiB a second' })
  })

  it('incoming messages include unrequested pongs: they count towards the same limit', async () => {
    const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.publishableKey}`
    const socket = new WebSocket(url, { headers: { 'x-forwarded-for': '198.51.100.9' } })
    await once(socket, 'open')
    const closeEvent = once(socket, 'close')
    for (let i = 0; i < 150; i++) socket.pong()
    const codeAndReason = await Promise.race([closeEvent, sleep(1_000).then(() => [0, ''])])
    socket.terminate()
    expect([codeAndReason[0], String(codeAndReason[1])]).toEqual([1008, 'Too many messages: at most 100 a second'])
  })

  it('incoming messages may contain two new tokens a second, because each token must be verified', async () => {
    const socket = await openSocket()
    for (let i = 0; i < 30; i++) socket.send('1', '1', 'realtime:x', 'phx_join', { access_token: `a.b.${i}` })
    expect(await endOf(socket)).toEqual({ code: 1008, reason: 'Too many tokens: at most 2 new ones a second' })
  })
})

describe('broadcasts and presences', () => {
  const config = { private: true, broadcast: { ack: true }, presence: { key: 'x', enabled: true } }

  async function openTalker() {
    const socket = await openSocket()
    const topic = `brand:${brandId}`
    expect(await socket.join(topic, config, token)).toBe('ok')
    const sendBroadcast = (text: string) =>
      socket.ask('1', `realtime:${topic}`, 'broadcast', { type: 'broadcast', event: 'x', payload: { text } })
    const track = (text: string) =>
      socket.ask('1', `realtime:${topic}`, 'presence', { type: 'presence', event: 'track', payload: { text } })
    return { sendBroadcast, track }
  }

  it('broadcasts and presences are limited in size', async () => {
    const { sendBroadcast, track } = await openTalker()
    expect(await sendBroadcast('x'.repeat(200_000))).toContain('A broadcast has at most 65536 bytes; this one has 200')
    expect(await sendBroadcast('x'.repeat(60_000))).toBe('ok')
    expect(await track('x'.repeat(5_000))).toContain('A presence has at most 4096 bytes; this one has 50')
    expect(await track('here')).toBe('ok')
  })

  it('presences are limited per second and user, over all sockets', async () => {
    const talkers = [await openTalker(), await openTalker(), await openTalker()]
    const replies = await Promise.all(
      Array.from({ length: 240 }, (_, i) => (talkers[i % 3] ?? talkers[0]!).track('here')),
    )
    expect(replies).toContain('Too many presences: at most 10 a second. Try again in a second')
  })

  it('broadcasts are limited per second and user, over all sockets', async () => {
    const talkers = [await openTalker(), await openTalker(), await openTalker()]
    const replies = await Promise.all(
      Array.from({ length: 240 }, (_, i) => (talkers[i % 3] ?? talkers[0]!).sendBroadcast('short')),
    )
    expect(replies.filter((reply) => reply === 'ok').length).toBeGreaterThanOrEqual(60)
    expect(replies).toContain('Too many broadcasts: at most 20 a second. Try again in a second')
  })

  it('presences show everybody, even if a presence key has the name of a built-in property', async () => {
    // Earlier tests have used up the limit on presences. Waits until new ones are allowed.
    await sleep(1_100)
    const topic = `brand:${brandId}`
    for (const key of ['__proto__', 'constructor']) {
      const socket = await openSocket()
      expect(await socket.join(topic, { ...config, presence: { key, enabled: true } }, token)).toBe('ok')
      const track = { type: 'presence', event: 'track', payload: { at: key } }
      expect(await socket.ask('1', `realtime:${topic}`, 'presence', track)).toBe('ok')
    }
    const observer = await openSocket()
    expect(await observer.join(topic, config, token)).toBe('ok')
    const state = await vi.waitFor(() => {
      const [, , , , presences] = observer.frames.find(([, , , event]) => event === 'presence_state') ?? []
      expect(presences).toBeDefined()
      return presences ?? {}
    })
    expect(Object.getOwnPropertyNames(state)).toEqual(expect.arrayContaining(['__proto__', 'constructor']))
  })
})

describe('a socket that closes while one of its requests runs', () => {
  it('a socket that closes while one of its requests runs leaves no channel that counts for the user of its token', async () => {
    const ownToken = await newMember('dee')
    const sockets = await Promise.all([1, 2, 3, 4, 5].map((i) => openSocket(`192.0.2.${i}`)))
    for (const socket of sockets) expect(await socket.join('a', bindings(100))).toBe('ok')
    // While all threads are busy, no signature is verified.
    const hash = promisify(pbkdf2)
    const busyThreads = Promise.all(Array.from({ length: 8 }, () => hash('x', 'y', 400_000, 32, 'sha512')))
    for (const socket of sockets) {
      socket.send('1', '2', 'realtime:a', 'access_token', { access_token: ownToken })
    }
    await sleep(50)
    for (const socket of sockets) socket.close()
    await busyThreads
    await sleep(300)
    expect(await (await openSocket()).join('a', bindings(1), ownToken)).toBe('ok')
  })

  it('a socket that closes while one of its requests runs leaves no presence in its topic', async () => {
    const socket = await openSocket()
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
