import { type Device } from '#web/data/browser/device.ts'
import { isOnLine, noteAnswer, noteSilence } from './network.ts'

/** So long a refresh waits for a network that the browser does not report before it tries again. Milliseconds. */
const tryAgainAfter = 10_000

/** Whether the address is the one where a session is renewed. */
export function isRefresh(address: string): boolean {
  return address.includes('/auth/v1/token?grant_type=refresh_token')
}

/**
 * Renews a session: `request` sends it once. Failures are logged, and only logged (spec section 8). Without a network it waits for one
 * instead of failing, because the official client would not try again for a minute. Throws where the network is there and no answer came.
 */
export async function fetchRefresh(device: Device, request: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      const response = await request()
      noteAnswer(device, response, false)
      if (response.ok) return response
      console.warn('The session could not be refreshed.', `${response.status} ${await response.clone().text()}`)
      return (await isRefusal(response)) ? response : passing(response)
    } catch (error) {
      noteSilence(device)
      console.warn('The session could not be refreshed.', String(error))
      if (isOnLine()) throw error
      await untilOnline(device)
    }
  }
}

/**
 * Whether the server itself says that the session has ended. What a limit, a proxy or the login page of a hotel's network says is no
 * such word, but the client would throw the session away for it.
 */
async function isRefusal(response: Response): Promise<boolean> {
  if (response.status === 429 || response.status === 408) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof body === 'object' && body !== null && ('code' in body || 'error_code' in body)
}

/** The same answer as one that makes the client try again. */
function passing(response: Response): Response {
  return new Response(response.body, { status: 503, statusText: response.statusText, headers: response.headers })
}

function untilOnline(device: Device): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      device.clock.clearTimeout(timer)
      globalThis.removeEventListener?.('online', go)
      resolve()
    }
    const timer = device.clock.setTimeout(go, tryAgainAfter)
    globalThis.addEventListener?.('online', go)
  })
}
