import { Agent, request } from 'node:http'
import type { TestServer } from '#tests/harness/server.ts'

export interface ReceivedResponse {
  status: number
  text: string
  /** The parsed body. Null if it is empty or not JSON. */
  body: Body
}

/** The fields of response bodies that a life reads. Each is set only in some responses. */
export interface Body {
  id: string
  access_token: string
  refresh_token: string
  user: { id: string } | undefined
  totp: { secret: string }
}

export interface RequestOptions {
  /** The access token. Without one, the request has only the API key. */
  token?: string
  body?: unknown
  /** The browser's name, which the server stores with the session. */
  userAgent?: string
  /** True to return the written rows. */
  withRows?: boolean
}

/** Sends plain HTTP requests over persistent connections, because a life sends some hundred requests. */
export interface ApiClient {
  auth(method: string, path: string, sent?: RequestOptions): Promise<ReceivedResponse>
  rest(method: string, path: string, sent?: RequestOptions): Promise<ReceivedResponse>
  rpc(name: string, values: Record<string, unknown>, sent: RequestOptions): Promise<ReceivedResponse>
  /** Reads with the secret key, which sees everything. */
  asService(path: string): Promise<ReceivedResponse>
  close(): void
}

export function createApiClient({ port, publishableKey, secretKey }: TestServer): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 12 })

  function send(
    method: string,
    path: string,
    { token, body, userAgent, withRows }: RequestOptions,
    key: string,
  ): Promise<ReceivedResponse> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      apikey: key,
      Authorization: `Bearer ${token ?? key}`,
      'X-Supabase-Api-Version': '2024-01-01',
      ...(userAgent === undefined ? {} : { 'User-Agent': userAgent }),
      ...(withRows ? { Prefer: 'return=representation' } : {}),
      ...(payload === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
    }
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, text, body: parseJson(text) as Body })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(payload)
    })
  }

  return {
    auth: (method, path, sent = {}) => send(method, `/auth/v1${path}`, sent, publishableKey),
    rest: (method, path, sent = {}) => send(method, `/rest/v1/${path}`, sent, publishableKey),
    rpc: (name, values, sent) => send('POST', `/rest/v1/rpc/${name}`, { ...sent, body: values }, publishableKey),
    asService: (path) => send('GET', `/rest/v1/${path}`, {}, secretKey),
    close: () => agent.destroy(),
  }
}

/** True if the request succeeded. */
export function isSuccess({ status }: ReceivedResponse): boolean {
  return status >= 200 && status < 300
}

/** True if the response contains a row: a change with `withRows` has changed it, or a read has found it. */
export function hasRows(response: ReceivedResponse): boolean {
  return isSuccess(response) && Array.isArray(response.body) && response.body.length > 0
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
