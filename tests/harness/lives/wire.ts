import { Agent, request } from 'node:http'
import type { TestServer } from '#tests/harness/server.ts'

export interface Answer {
  status: number
  text: string
  /** The parsed body; null if it is empty or no JSON. */
  body: Body
}

/** Members of answers that a life reads; each is set only in answers of its kind. */
export interface Body {
  id: string
  access_token: string
  refresh_token: string
  user: { id: string } | undefined
  totp: { secret: string }
}

export interface SendResult {
  token?: string
  body?: unknown
  /** The browser's name; a session stores it. */
  userAgent?: string
  /** Return the written rows. */
  withRows?: boolean
}

/** Plain HTTP over kept connections: a life makes some hundred requests. */
export interface Wire {
  auth(method: string, path: string, sent?: SendResult): Promise<Answer>
  rest(method: string, path: string, sent?: SendResult): Promise<Answer>
  rpc(name: string, values: Record<string, unknown>, sent: SendResult): Promise<Answer>
  /** Reads with the secret key, which sees everything. */
  asService(path: string): Promise<Answer>
  close(): void
}

export function createWire({ port, publishableKey, secretKey }: TestServer): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 12 })

  function ask(
    method: string,
    path: string,
    { token, body, userAgent, withRows }: SendResult,
    key: string,
  ): Promise<Answer> {
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
      const sending = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, text, body: parsed(text) as Body })
        })
      })
      sending.on('error', reject)
      sending.end(payload)
    })
  }

  return {
    auth: (method, path, sent = {}) => ask(method, `/auth/v1${path}`, sent, publishableKey),
    rest: (method, path, sent = {}) => ask(method, `/rest/v1/${path}`, sent, publishableKey),
    rpc: (name, values, sent) => ask('POST', `/rest/v1/rpc/${name}`, { ...sent, body: values }, publishableKey),
    asService: (path) => ask('GET', `/rest/v1/${path}`, {}, secretKey),
    close: () => agent.destroy(),
  }
}

/** Whether the request succeeded. */
export function isDone({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

/** Whether a change with `withRows` has changed a row. */
export function hasChanged(answer: Answer): boolean {
  return isDone(answer) && Array.isArray(answer.body) && answer.body.length > 0
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
