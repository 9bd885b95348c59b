import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawExchange, statusOf } from '../harness/raw-http.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const pageText = '<!doctype html><title>App</title><script src="/config.js"></script>'
const scriptText = `export const tree = ${JSON.stringify('banyan '.repeat(500))}\n`

/** Sends a GET request. Returns the body as it was received: `fetch` would decompress it. */
function plainGet(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const clientRequest = request(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      })
    })
    clientRequest.on('error', reject)
    clientRequest.end()
  })
}

describe('the app’s files', () => {
  let server: TestServer
  let webRoot: string

  beforeAll(async () => {
    webRoot = await mkdtemp(join(tmpdir(), '.banyan-web-'))
    await mkdir(join(webRoot, 'assets'))
    await writeFile(join(webRoot, 'index.html'), pageText)
    await writeFile(join(webRoot, 'sw.js'), 'self.skipWaiting()')
    await writeFile(join(webRoot, 'assets/app-1a2b.js'), scriptText)
    await writeFile(join(webRoot, 'assets/app-1a2b.js.br'), brotliCompressSync(scriptText))
    await writeFile(join(webRoot, 'assets/app-1a2b.js.gz'), gzipSync(scriptText))
    server = await startTestServer({ product: false, webRoot, env: { SITE_URL: 'https://crm.example.com' } })
    server.url = `http://127.0.0.1:${server.port}`
  })
  afterAll(async () => {
    await server.stop()
    await rm(webRoot, { recursive: true })
  })

  it.each(['/', '/auth', '/crm/deals', '/nowhere/at/all', '/index.html', '/crm/deals?a=%2e%2e', '/restaurant'])(
    'the path %s returns the page, which is revalidated each time',
    async (path) => {
      const response = await fetch(server.url + path)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(pageText)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const etag = response.headers.get('etag') ?? ''
      const revalidated = await fetch(server.url + path, { headers: { 'If-None-Match': etag } })
      expect([revalidated.status, await revalidated.text()]).toEqual([304, ''])
    },
  )

  it('the page’s headers allow only scripts of the app, and no framing', async () => {
    const { headers } = await fetch(server.url)
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'self'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split('; ')).toContain(part)
    }
    expect(policy).not.toMatch(/unsafe-(inline|eval)/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('permissions-policy')).toContain('geolocation=()')
    expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000/)
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it('files with a hash in their name may be cached for ever, and are compressed as the browser accepts', async () => {
    const url = `${server.url}/assets/app-1a2b.js`
    const brotli = await plainGet(url, { 'Accept-Encoding': 'gzip, deflate, br' })
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(brotli.body.equals(brotliCompressSync(scriptText))).toBe(true)
    expect((await plainGet(url, { 'Accept-Encoding': 'gzip, br;q=0' })).headers['content-encoding']).toBe('gzip')
    const plainResponse = await plainGet(url)
    expect([plainResponse.headers['content-encoding'], plainResponse.body.toString()]).toEqual([undefined, scriptText])
  })

  it('the service worker file is revalidated each time', async () => {
    const response = await fetch(`${server.url}/sw.js`)
    expect([response.headers.get('cache-control'), await response.text()]).toEqual(['no-cache', 'self.skipWaiting()'])
  })

  it('a missing asset returns 404, never the page', async () => {
    const response = await fetch(`${server.url}/assets/app-old.js`)
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('the method HEAD returns the headers of GET and no body; other methods are refused', async () => {
    const head = await fetch(server.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(pageText.length),
      '',
    ])
    const deletion = await fetch(`${server.url}/crm`, { method: 'DELETE' })
    expect([deletion.status, deletion.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('the configuration gives the page its public key, uncached', async () => {
    const response = await fetch(`${server.url}/config.js`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const script = await response.text()
    const config = JSON.parse(script.slice(script.indexOf('{')))
    expect(script).toMatch(/^globalThis\.BANYAN_CONFIG = /)
    const { pushKey, ...otherSettings } = config
    expect(otherSettings).toEqual({ url: '', publishableKey: server.publishableKey })
    // The public half of the key that signs web push: an uncompressed point of P-256.
    expect(Buffer.from(pushKey, 'base64url').subarray(0, 1).toString('hex')).toBe('04')
    expect(Buffer.from(pushKey, 'base64url')).toHaveLength(65)
    expect(script).not.toContain(server.secretKey)
  })

  it('the server reports its health, and refuses unknown paths', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    for (const path of [
      '/storage/v1/object',
      '/functions/v1/x',
      '/graphql/v1',
      '/rest/v2/x',
      '/rest/v1',
      '/realtime/v1/websocket',
    ]) {
      const response = await fetch(server.url + path)
      expect([path, response.status, (await response.json()).code]).toEqual([path, 404, 'not_found'])
    }
  })

  it.each([
    ['/storage/v1/object/x', 404],
    ['/functions/v1/x', 404],
    ['/realtime/v1/api/broadcast', 404],
    ['/', 405],
    ['/crm/deals', 405],
    ['/healthz', 405],
  ])('a POST to %s is refused with %s, with and without a body', async (path, status) => {
    for (const body of [undefined, '{}', 'x'.repeat(2_000_000)]) {
      const response = await fetch(server.url + path, { method: 'POST', ...(body === undefined ? {} : { body }) })
      expect([body?.length, response.status]).toEqual([body?.length, status])
    }
  })

  it('a GET of a served path with a body is refused with 413', async () => {
    const head = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'
    expect(statusOf(await rawExchange(server.url, `${head}Content-Length: 3\r\n\r\nabc`))).toBe(413)
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
    expect(statusOf(await rawExchange(server.url, `${chunked}3\r\nabc\r\n0\r\n\r\n`))).toBe(413)
    expect(statusOf(await rawExchange(server.url, `${chunked}0\r\n\r\n`))).toBe(200)
  })

  it.each(['/healthz', '/readyz', '/config.js', '/metrics'])('the path %s accepts only GET and HEAD', async (path) => {
    for (const method of ['GET', 'HEAD']) expect((await fetch(server.url + path, { method })).status).toBe(200)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await fetch(server.url + path, { method })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
  })

  it('API responses are kept out of every cache, and each has a request id', async () => {
    const response = await fetch(`${server.url}/auth/v1/settings`, { headers: { apikey: server.publishableKey } })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toMatch(/^\w+-\w+$/)
  })

  it('a request from another origin is not allowed', async () => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' }
    const preflight = await fetch(`${server.url}/rest/v1/x`, { method: 'OPTIONS', headers })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null])
    const response = await fetch(`${server.url}/auth/v1/health`, { headers })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('other origins', () => {
  let server: TestServer
  const origin = 'https://app.example.com'

  beforeAll(async () => {
    server = await startTestServer({ product: false, env: { CORS_ORIGINS: `${origin}, http://localhost:5173` } })
  })
  afterAll(() => server.stop())

  it('other origins that are listed may call the API; the preflight needs no key', async () => {
    const allowedHeaders =
      'apikey, authorization, content-type, content-profile, accept-profile, prefer, range, x-client-info, x-supabase-api-version, x-retry-count, idempotency-key'
    const { status, headers } = await fetch(`${server.url}/rest/v1/deals`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': allowedHeaders,
      },
    })
    expect([204, origin]).toEqual([status, headers.get('access-control-allow-origin')])
    const allowed = (headers.get('access-control-allow-headers') ?? '').split(', ')
    expect(allowedHeaders.split(', ').filter((name) => !allowed.includes(name))).toEqual([])
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
  })

  it('other origins that are listed may also read errors and their headers, even those that the HTTP listener itself sends', async () => {
    for (const init of [{}, { method: 'POST', body: 'x'.repeat(100_000) }]) {
      const { headers, status } = await fetch(`${server.url}/auth/v1/signup`, { ...init, headers: { Origin: origin } })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')).toBe('Content-Range, X-Supabase-Api-Version, Retry-After')
      expect(headers.get('vary')).toContain('Origin')
    }
  })

  it('origins that only resemble a listed one may not call the API', async () => {
    for (const resemblingOrigin of [
      'https://app.example.com.evil.com',
      'http://app.example.com',
      'null',
      'https://app.example.com:444',
    ]) {
      const { headers } = await fetch(`${server.url}/auth/v1/health`, { headers: { Origin: resemblingOrigin } })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('the page says what to do if there is no build, and the API still works', async () => {
    const response = await fetch(server.url)
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('npm run build')])
    expect((await fetch(`${server.url}/auth/v1/health`)).status).toBe(200)
  })
})
