import { randomBytes, randomUUID } from 'node:crypto'

/** Data of the server and of a signed-in member that the requests need. */
export interface RequestTarget {
  publishableKey: string
  accessToken: string
  brandId: string
  /** Path of a large file, which is stored plain and compressed. */
  asset: string
}

/** A kind of request, as bytes. */
export interface RequestKind {
  name: string
  bytes(): Buffer
  /** Bytes to send after the first bytes of the response. */
  after?(): Buffer
}

const hostHeader = 'Host: localhost\r\n'
const upgradeHeaders = `${hostHeader}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n`
const realtimePath = '/realtime/v1/websocket'

/** Returns every kind of request that the server reads: complete, invalid, and those that upgrade the connection. */
export function requestKinds({ publishableKey, accessToken, brandId, asset }: RequestTarget): RequestKind[] {
  const signedInHeaders = `${hostHeader}apikey: ${publishableKey}\r\nAuthorization: Bearer ${accessToken}\r\n`
  const keyHeader = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`
  const taskBody = () => JSON.stringify({ brand_id: brandId, title: `task ${randomUUID()}` })
  const signInBody = JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' })
  const socketPath = `${realtimePath}?apikey=${publishableKey}&vsn=2.0.0`
  const joinFrame = JSON.stringify([
    '1',
    '1',
    `realtime:${brandId}`,
    'phx_join',
    { config: {}, access_token: accessToken },
  ])
  const textKind = (name: string, bytes: () => string, after?: () => Buffer): RequestKind => ({
    name,
    bytes: () => Buffer.from(bytes(), 'latin1'),
    ...(after ? { after } : {}),
  })
  const post = (path: string, head: string, body: string) =>
    `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const readRequest = `GET /rest/v1/deal_stages?select=*&brand_id=eq.${brandId} HTTP/1.1\r\n${signedInHeaders}\r\n`

  return [
    textKind('page', () => `GET /crm HTTP/1.1\r\n${hostHeader}\r\n`),
    textKind('file', () => `GET ${asset} HTTP/1.1\r\n${hostHeader}\r\n`),
    textKind('file, compressed', () => `GET ${asset} HTTP/1.1\r\n${hostHeader}Accept-Encoding: br, gzip\r\n\r\n`),
    textKind('file, a range', () => `GET ${asset} HTTP/1.1\r\n${hostHeader}Range: bytes=1000-200000\r\n\r\n`),
    textKind('sign-in', () =>
      post('/auth/v1/token?grant_type=password', `${hostHeader}apikey: ${publishableKey}\r\n`, signInBody),
    ),
    textKind('read', () => readRequest),
    textKind('write', () => post('/rest/v1/tasks', signedInHeaders, taskBody())),
    textKind('function', () => post('/rest/v1/rpc/pull', signedInHeaders, JSON.stringify({ p_brand_id: brandId }))),
    textKind('chunked body', () => {
      const body = taskBody()
      const half = body.length >> 1
      const chunks = [body.slice(0, half), body.slice(half), ''].map(
        (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
      )
      return `POST /rest/v1/tasks HTTP/1.1\r\n${signedInHeaders}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}`
    }),
    textKind(
      'expect 100-continue',
      () =>
        `POST /rest/v1/tasks HTTP/1.1\r\n${signedInHeaders}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 500\r\n\r\n`,
      () => Buffer.alloc(500, ' '),
    ),
    textKind('upgrade elsewhere', () => `GET /nothing HTTP/1.1\r\n${upgradeHeaders}${keyHeader}\r\n`),
    textKind('upgrade without an API key', () => `GET ${realtimePath} HTTP/1.1\r\n${upgradeHeaders}${keyHeader}\r\n`),
    textKind('upgrade without Sec-WebSocket-Key', () => `GET ${socketPath} HTTP/1.1\r\n${upgradeHeaders}\r\n`),
    textKind('upgrade with frames in the same packet', () => {
      const frame = maskedFrame(joinFrame).toString('latin1')
      return `GET ${socketPath} HTTP/1.1\r\n${upgradeHeaders}${keyHeader}\r\n${frame}`
    }),
    textKind(
      'upgrade, then frames',
      () => `GET ${socketPath} HTTP/1.1\r\n${upgradeHeaders}${keyHeader}\r\n`,
      () =>
        Buffer.concat([
          maskedFrame(joinFrame),
          maskedFrame('[null,"2","phoenix","heartbeat",{}]'),
          maskedFrame('x'.repeat(4000)),
        ]),
    ),
    textKind('tunnel', () => `CONNECT localhost:22 HTTP/1.1\r\n${hostHeader}\r\n`),
    textKind(
      'upgrade behind a request',
      () => `${readRequest}GET /nothing HTTP/1.1\r\n${upgradeHeaders}${keyHeader}\r\n`,
    ),
    textKind('pipelined', () => `${readRequest}GET ${asset} HTTP/1.1\r\n${hostHeader}\r\n${readRequest}`.repeat(4)),
    { name: 'TLS', bytes: () => Buffer.concat([Buffer.from('16030102000100', 'hex'), randomBytes(200)]) },
    { name: 'noise', bytes: () => randomBytes(300) },
  ]
}

/** Returns a client's text frame (RFC 6455). */
function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const mask = randomBytes(4)
  const length = payload.length < 126 ? Buffer.from([0x80 | payload.length]) : Buffer.alloc(3)
  if (payload.length >= 126) {
    length.writeUInt8(0x80 | 126)
    length.writeUInt16BE(payload.length, 1)
  }
  return Buffer.concat([Buffer.from([0x81]), length, mask, payload.map((byte, place) => byte ^ (mask[place % 4] ?? 0))])
}
