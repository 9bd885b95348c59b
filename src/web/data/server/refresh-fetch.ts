import type { Device } from '#web/data/browser/device.ts'
import { isOnLine, recordNoAnswer } from './network.ts'
import { recordAnswer } from './record-answer.ts'

/** Time between two attempts while the browser reports no network. An attempt also begins when the network is back. */
const retryDelayMs = 10_000

/** Whether a request to this URL renews a session. */
export function isRefresh(url: string): boolean {
  return url.includes('/auth/v1/token?grant_type=refresh_token')
}

/**
 * Renews a session. `request` sends the request once. Logs failures, which no screen shows (spec section 8). Without a network, this function
 * waits for one instead of failing, because the official client would not try again for a minute. Throws if there is a network and no answer came.
 */
export async function fetchRefresh(device: Device, request: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const sentAt = device.clock.now()
    try {
      const response = await request()
      recordAnswer(device, response, sentAt, false)
      if (response.ok) return response
      console.warn('The session could not be refreshed.', `${response.status} ${await response.clone().text()}`)
      return (await isRefusedByServer(response)) ? response : asUnavailable(response)
    } catch (error) {
      recordNoAnswer(device)
      console.warn('The session could not be refreshed.', String(error))
      if (isOnLine()) throw error
      await untilOnline(device)
    }
  }
}

/**
 * Whether the server itself refused to renew the session. The answer of a rate limit, a proxy or the login page of a hotel's network is not a
 * refusal, but the client would drop the session because of it.
 */
async function isRefusedByServer(response: Response): Promise<boolean> {
  if (response.status === 429 || response.status === 408) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof body === 'object' && body !== null && ('code' in body || 'error_code' in body)
}

/** Returns the same answer with status 503, after which the client tries again. */
function asUnavailable(response: Response): Response {
  return new Response(response.body, { status: 503, statusText: response.statusText, headers: response.headers })
}

function untilOnline(device: Device): Promise<void> {
  return new Promise((resolve) => {
    const stopWaiting = () => {
      device.clock.clearTimeout(timer)
      globalThis.removeEventListener?.('online', stopWaiting)
      resolve()
    }
    const timer = device.clock.setTimeout(stopWaiting, retryDelayMs)
    globalThis.addEventListener?.('online', stopWaiting)
  })
}
