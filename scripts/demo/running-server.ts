import { setTimeout as sleep } from 'node:timers/promises'

const startTimeoutMs = 120_000
/** Maximum duration of one request. A request that is not answered would otherwise outlast `startTimeoutMs`. */
const requestTimeoutMs = 2_000

/** True if a Banyan server listens at `url`, even if it is still starting. */
export async function isBanyanServer(url: string): Promise<boolean> {
  try {
    const response = await request(`${url}/healthz`)
    return response.ok && (await response.json()).status === 'ok'
  } catch {
    return false
  }
}

/**
 * Waits until the server at `url` is ready and returns its publishable key from /config.js. Throws after two minutes, or if there is no key.
 */
export async function publishableKeyWhenReady(url: string): Promise<string> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    const script = await configIfReady(url).catch(() => null)
    if (script !== null) return readKey(script)
    await sleep(200)
  }
  throw new Error('The server did not become ready within two minutes.')
}

async function configIfReady(url: string): Promise<string | null> {
  if (!(await request(`${url}/readyz`)).ok) return null
  const response = await request(`${url}/config.js`)
  return response.ok ? response.text() : null
}

function request(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(requestTimeoutMs) })
}

function readKey(script: string): string {
  const key = /"publishableKey"\s*:\s*"([^"]+)"/.exec(script)?.[1]
  if (key === undefined) throw new Error('/config.js contains no publishable key.')
  return key
}
