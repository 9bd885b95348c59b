import { type Device } from '#web/data/browser/device.ts'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { noteAnswer, noteSilence } from './network.ts'
import { byOwnClock } from './own-clock.ts'
import { fetchRefresh, isRefresh } from './refresh-fetch.ts'
import { asUserHeader, sessionStorageKey, subjectOf } from './session-token.ts'

/** A request without an answer is given up after this time; what was sent is sent again with the same key. */
const answerTimeout = 20_000

/** A client of the backend (the official one, unchanged); a tab has one, that of load-client.ts. */
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
    global: { fetch: (input, init) => guardedFetch(device, publishableKey, input, init) },
  })
}

/** Data requests go out in a user's name or not at all: without a session the client would send the public key, and see nothing. */
async function guardedFetch(
  device: Device,
  publishableKey: string,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers)
  const address = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
  const isData = address.includes('/rest/v1/')
  if (isData) {
    const bearer = (headers.get('authorization') ?? '').replace(/^Bearer /i, '')
    const asUser = headers.get(asUserHeader)
    headers.delete(asUserHeader)
    if (bearer === '' || bearer === publishableKey || (asUser && subjectOf(bearer) !== asUser)) return noSession()
  }
  const send = () => {
    const timeout = AbortSignal.timeout(answerTimeout)
    return device.fetch(input, {
      ...init,
      headers,
      signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    })
  }
  if (isRefresh(address)) return byOwnClock(await fetchRefresh(device, send))
  try {
    const response = await send()
    noteAnswer(device, response, isData)
    return isData ? response : byOwnClock(response)
  } catch (error) {
    if (!init.signal?.aborted) noteSilence(device)
    throw error
  }
}

function noSession(): Response {
  const body = { code: 'NO_SESSION', message: 'Sign in to send your changes.', details: null, hint: null }
  return new Response(JSON.stringify(body), { status: 401, headers: { 'content-type': 'application/json' } })
}
