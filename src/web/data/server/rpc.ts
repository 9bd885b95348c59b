import { type Device, devicePart } from '#web/data/browser/device.ts'
import { askServer } from './ask-server.ts'
import { observable } from '#web/lib/observable.ts'
import { refusalCodes } from '#shared/refusal-codes.ts'
import { loadClient } from './load-client.ts'
import { isTemporaryStatus } from './temporary-status.ts'
import { emitter } from '#web/lib/emitter.ts'

/** A failed request. `status` 0: no answer came. `code` is an SQLSTATE, a code of PostgREST or NO_SESSION. Null if there is none. */
export class RpcError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null,
  ) {
    super(message)
    this.name = 'RpcError'
  }

  /** True if the server did not refuse the request, so that it may succeed later. */
  get isTemporary(): boolean {
    return isTemporaryStatus(this.status) || this.status === 401 || (this.status >= 502 && !this.code)
  }
}

/** Calls an RPC as a user. Throws RpcError. After a 401, first calls `handleUnauthorized`. */
export async function rpc<T>(
  device: Device,
  userId: string,
  name: string,
  args: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<T> {
  const { data, error, status } = await askServer(
    device,
    (server) => {
      const request = server.rpc(name, args)
      return signal ? request.abortSignal(signal) : request
    },
    userId,
  )
  if (!error) return data as T
  if (status === 401) await handleUnauthorized(device, error.code || null)
  throw new RpcError(error.message, status, error.code || null)
}

/** Counts how often a refused token was renewed. After each renewal, requests that were refused with the old token can be sent again. */
export const renewals = devicePart(() => observable(0))

/** Emits when the server has answered that the session has ended. */
export const sessionEnded = devicePart(() => emitter())

const lastRefresh = devicePart(() => ({ at: Number.NEGATIVE_INFINITY }))

/**
 * Handles a 401 with this code. SESSION_ENDED, or NO_SESSION if this device has no session: emits `sessionEnded`. NO_SESSION if this device has
 * a session: does nothing. Other codes: renews the token, at most every 30 s, because a wrong clock must not cause endless renewals.
 */
export async function handleUnauthorized(device: Device, code: string | null): Promise<void> {
  if (code === refusalCodes.SESSION_ENDED || code === 'NO_SESSION') {
    const { data, error } = await (await loadClient(device)).auth.getSession()
    // No answer does not mean that the session has ended. The session is renewed when the network is back.
    const isUnanswered = error?.name === 'AuthRetryableFetchError'
    if (code === refusalCodes.SESSION_ENDED || (!data.session && !isUnanswered)) sessionEnded(device).emit()
    return
  }
  if (device.clock.elapsed() - lastRefresh(device).at < 30_000) return
  lastRefresh(device).at = device.clock.elapsed()
  const { error } = await (await loadClient(device)).auth.refreshSession()
  if (error) console.warn('The session could not be refreshed.', error.message)
  else renewals(device).set(renewals(device).get() + 1)
}
