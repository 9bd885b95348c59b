import type { TestServer } from './server.ts'

/** The fields that the body of a response may have. Each test expects the fields that its response must have. */
export interface AuthBody {
  code?: unknown
  message: string
  access_token: string
  refresh_token: string
  user: Record<string, unknown>
  [member: string]: unknown
}

export interface AuthResponse {
  status: number
  headers: Headers
  body: AuthBody
}

export interface AuthRequest {
  method?: string
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Sends one plain request to /auth/v1, like the official client. A string body is sent unchanged. */
export async function authRequest(
  server: Pick<TestServer, 'url' | 'publishableKey'>,
  path: string,
  request: AuthRequest = {},
): Promise<AuthResponse> {
  const { body, token, headers } = request
  const response = await fetch(`${server.url}/auth/v1${path}`, {
    method: request.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      apikey: server.publishableKey,
      'Content-Type': 'application/json',
      'X-Supabase-Api-Version': '2024-01-01',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** Returns the status and the error code of a refusal. */
export function refusalOf({ status, body }: AuthResponse): [number, unknown] {
  return [status, body.code]
}
