import { setTimeout as sleep } from 'node:timers/promises'

const startTimeoutMs = 120_000

/** True if a Banyan server listens at `url`, even if it is still starting. */
export async function isBanyanServer(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })
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
    const response = await fetch(`${url}/readyz`).catch(() => null)
    if (response?.ok) return readKey(await (await fetch(`${url}/config.js`)).text())
    await sleep(200)
  }
  throw new Error('The server did not become ready within two minutes.')
}

function readKey(script: string): string {
  const key = /"publishableKey"\s*:\s*"([^"]+)"/.exec(script)?.[1]
  if (key === undefined) throw new Error('/config.js contains no publishable key.')
  return key
}
