import type { Device } from '#web/data/browser/device.ts'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { recordNoAnswer } from './network.ts'
import { recordAnswer } from './record-answer.ts'
import { withoutExpiry } from './without-expiry.ts'
import { fetchRefresh, isRefresh } from './refresh-fetch.ts'
import { asUserHeader, sessionStorageKey, subjectOf } from './session-token.ts'
import { readStoredSession } from './stored-session.ts'

/**
 * A request without an answer is aborted after this time. An operation is then sent again with the same `Idempotency-Key`, so it is not
 * applied twice.
 */
const responseTimeoutMs = 20_000

/** Creates the official client for the backend. load-client.ts calls it once per tab. */
export function makeClient(
  device: Device,
  { url, publishableKey }: { url: string; publishableKey: string },
): SupabaseClient {
  const store = keyValueStore(device)
  return createClient(url, publishableKey, {
    auth: {
      storage: {
        getItem: (key) => store.get(key),
        setItem: (key, value) => store.set(key, value),
        removeItem: (key) => store.remove(key),
      },
      storageKey: sessionStorageKey,
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: true,
      experimental: { recoveryCodes: true },
    },
    global: { fetch: (input, init) => guardedFetch(device, input, init) },
  })
}

/**
 * Sends a request of the client. Refuses data requests without a session (NO_SESSION), because the client would send them with the public key
 * and get no rows. Also refuses data requests whose user (`asUserHeader`) is not the user of the session. If this device has replaced the token
 * meanwhile, a 401 says nothing about the current session. The 401 is then replaced by NO_SESSION, after which the app tries again.
 */
async function guardedFetch(device: Device, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const requestUrl = input instanceof Request ? input.url : String(input)
  const isData = requestUrl.includes('/rest/v1/')
  const bearer = headers.get('authorization')?.slice('Bearer '.length) ?? ''
  if (isData) {
    // The public key is no user's token: it has no subject.
    const subject = subjectOf(bearer)
    const asUser = headers.get(asUserHeader) || subject
    headers.delete(asUserHeader)
    if (subject === null || subject !== asUser) return noSession()
  }
  const send = () => {
    const timeout = AbortSignal.timeout(responseTimeoutMs)
    return device.fetch(input, {
      ...init,
      headers,
      signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    })
  }
  if (isRefresh(requestUrl)) return withoutExpiry(await fetchRefresh(device, send))
  const sentAt = device.clock.now()
  try {
    const response = await send()
    recordAnswer(device, response, sentAt, isData)
    if (!isData) return withoutExpiry(response)
    if (response.status === 401 && (await readStoredSession(device))?.access_token !== bearer) return noSession()
    return response
  } catch (error) {
    if (!init.signal?.aborted) recordNoAnswer(device)
    throw error
  }
}

function noSession(): Response {
  const body = { code: 'NO_SESSION', message: 'Sign in to send your changes.', details: null, hint: null }
  return Response.json(body, { status: 401 })
}
