import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawConnection, rawExchange, statusOf } from '../harness/raw-http.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const hostHeader = 'Host: localhost\r\n'

describe('hostile HTTP', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ product: false, run: 'process' })
    // A file beside the served folder, which must never be served.
    await writeFile(join(server.dataDir, 'secret.txt'), 'TOP-SECRET')
    await mkdir(join(server.dataDir, 'no-web', 'assets'), { recursive: true })
    await writeFile(join(server.dataDir, 'no-web', 'index.html'), '<!doctype html><title>App</title>')
    await writeFile(join(server.dataDir, 'no-web', '.env'), 'TOP-SECRET')
    const { dataDir, databaseUrl } = server
    await server.kill()
    server = await startTestServer({ run: 'process', dataDir, databaseUrl, webRoot: join(dataDir, 'no-web') })
  })
  afterAll(async () => {
    expect(server.child?.exitCode).toBeNull()
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await server.stop()
  })

  const get = (target: string) =>
    rawExchange(server.url, `GET ${target} HTTP/1.1\r\n${hostHeader}Connection: close\r\n\r\n`)

  it.each([
    '/%2e%2e/secret.txt',
    '/%2E%2E%2Fsecret.txt',
    '/..%2fsecret.txt',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets\\..\\..\\secret.txt',
    '/./index.html',
    '//secret.txt',
    '//localhost/secret.txt',
    '/%00',
    '/index.html%00.js',
    '/%ff%fe',
    '/%c0%ae%c0%ae/secret.txt',
    '/%E2%82',
    '/%zz',
    'http://elsewhere.example/index.html',
    'index.html',
    '*',
  ])('the request target %s is refused', async (target) => {
    const response = await get(target)
    expect(statusOf(response)).toBe(400)
    expect(response).not.toContain('TOP-SECRET')
  })

  it.each(['/.env', '/.git/config', '/%2eenv', '/%252e%252e%252fsecret.txt', '/assets/%252e%252e/secret.txt'])(
    'the request target %s returns no file',
    async (target) => {
      const response = await get(target)
      expect([200, 400, 404]).toContain(statusOf(response))
      expect(response).not.toContain('TOP-SECRET')
    },
  )

  it.each([
    [
      'a Content-Length beside a Transfer-Encoding',
      `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two different lengths',
      `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
    ],
    ['a length that is no number', `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Content-Length: 4x\r\n\r\nabcd`],
    ['a negative length', `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Content-Length: -1\r\n\r\n`],
    [
      'an invalid chunk size',
      `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n`,
    ],
    [
      'a chunk longer than its size',
      `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Transfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n`,
    ],
    [
      'an unknown transfer coding',
      `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a header without a colon', `GET / HTTP/1.1\r\n${hostHeader}nonsense\r\n\r\n`],
    ['a blank before the colon', `GET / HTTP/1.1\r\n${hostHeader}Content-Length : 3\r\n\r\nabc`],
    ['a folded header', `GET / HTTP/1.1\r\n${hostHeader}X-A: 1\r\n 2\r\n\r\n`],
    ['a NUL in a header', `GET / HTTP/1.1\r\n${hostHeader}X-A: a\0b\r\n\r\n`],
    ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown version of HTTP', `GET / HTTP/9.9\r\n${hostHeader}\r\n`],
    ['a method that does not exist', `HACK / HTTP/1.1\r\n${hostHeader}\r\n`],
    ['the method TRACE', `TRACE / HTTP/1.1\r\n${hostHeader}\r\n`],
    ['a header of 100 kB', `GET / HTTP/1.1\r\n${hostHeader}X-A: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['headers of 1 MB', `GET / HTTP/1.1\r\n${hostHeader}X-A: ${'a'.repeat(1_000_000)}\r\n\r\n`],
    [
      '10,000 headers',
      `GET / HTTP/1.1\r\n${hostHeader}${Array.from({ length: 10_000 }, (_, i) => `a${i}: b\r\n`).join('')}\r\n`,
    ],
    ['a URL of 100 kB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${hostHeader}\r\n`],
    ['a body for a page', `POST /crm/deals HTTP/1.1\r\n${hostHeader}Content-Length: 3\r\n\r\nabc`],
  ])('a request with %s is refused', async (_, bytes) => {
    const status = statusOf(await rawExchange(server.url, bytes))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  it('the rest of an ambiguous request is not treated as a second request', async () => {
    const smuggled = `GET /healthz HTTP/1.1\r\n${hostHeader}\r\n`
    const response = await rawExchange(
      server.url,
      `POST /auth/v1/token HTTP/1.1\r\n${hostHeader}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    )
    expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('the method CONNECT opens no tunnel', async () => {
    expect(await rawExchange(server.url, `CONNECT localhost:22 HTTP/1.1\r\n${hostHeader}\r\n`)).not.toMatch(/ 200 /)
  })

  it('1,000 pipelined requests get 1,000 responses', async () => {
    const bytes = Array.from(
      { length: 1000 },
      (_, index) => `GET /assets/${index}.js HTTP/1.1\r\n${hostHeader}\r\n`,
    ).join('')
    const response = await rawExchange(server.url, bytes, 2000)
    expect(response.match(/HTTP\/1\.1 404/g)).toHaveLength(1000)
  })

  it.concurrent('the server keeps responding while 1,000 connections have sent half a request each, and closes them', {
    tags: ['long'],
    timeout: 40_000,
  }, async () => {
    const halfSent = Array.from({ length: 1000 }, (_, index) =>
      rawConnection(server.url, index % 2 ? '' : `GET / HTTP/1.1\r\n${hostHeader}`),
    )
    await Promise.all(halfSent.map((socket) => once(socket, 'connect')))
    const startedAt = performance.now()
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(1000)
    for (const socket of halfSent) socket.resume()
    const closing = halfSent.filter((socket) => !socket.destroyed).map((socket) => once(socket, 'close'))
    await Promise.all(closing)
    expect(performance.now() - startedAt).toBeLessThan(25_000)
  })

  // Runs in parallel with the previous test: both mostly wait, and only neighbouring tests run in parallel.
  it.concurrent('bodies that come one byte a second are cut off, and other requests are served meanwhile', async () => {
    const startedAt = performance.now()
    const head = `POST /auth/v1/signup HTTP/1.1\r\n${hostHeader}Content-Length: 1000\r\n\r\n`
    const slowSockets = Array.from({ length: 50 }, () => rawConnection(server.url, head))
    const drip = setInterval(() => slowSockets.forEach((socket) => socket.destroyed || socket.write('x')), 1000)
    const allClosed = Promise.all(slowSockets.map((socket) => once(socket.resume(), 'close')))
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await allClosed
    clearInterval(drip)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  }, 40_000)

  it('a body that is too large is refused before it is received', async () => {
    const head = `POST /auth/v1/signup HTTP/1.1\r\n${hostHeader}Content-Length: 1000000\r\n\r\n`
    expect(statusOf(await rawExchange(server.url, head))).toBe(413)
    const expecting = `POST /auth/v1/signup HTTP/1.1\r\n${hostHeader}Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n`
    expect(statusOf(await rawExchange(server.url, expecting))).toBe(413)
    const chunked = `POST /rest/v1/x HTTP/1.1\r\n${hostHeader}Transfer-Encoding: chunked\r\n\r\n100000\r\n${'x'.repeat(0x100000)}\r\n`
    expect(statusOf(await rawExchange(server.url, chunked))).toBe(413)
  })

  it('the sender of a body of 10 MB receives the refusal with its reason', async () => {
    const response = await fetch(`${server.url}/rest/v1/anything`, { method: 'POST', body: 'x'.repeat(10_000_000) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'payload_too_large' })
  })
})
