import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { askServer } from './ask-server.ts'
import { observable } from '#web/lib/observable.ts'
import { refusalCodes } from '#shared/refusal-codes.ts'
import { loadClient } from './load-client.ts'
import { isPassingStatus } from './passing.ts'
import { emitter } from '#web/lib/emitter.ts'

/** An RPC that was not answered with its value. `status` 0: no answer at all. `code` is SQLSTATE or PostgREST's. */
export class RpcError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null,
  ) {
    super(message)
    this.name = 'RpcError'
  }

  /** The server did not say no: trying later may help. */
  get isPassing(): boolean {
    return isPassingStatus(this.status) || this.status === 401 || (this.status >= 502 && !this.code)
  }
}

/** Calls an RPC in a user's name; throws RpcError. An ended session is noted on the way. */
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
  if (status === 401) await noteUnauthorized(device, error.code || null)
  throw new RpcError(error.message, status, error.code || null)
}

/** How often a refused token was renewed: what was refused with the old one can be asked again. */
export const renewals = devicePart(() => observable(0))

/** The server says that the session has ended. */
export const sessionEnded = devicePart(() => emitter())

const refreshes = devicePart(() => ({ lastAt: Number.NEGATIVE_INFINITY }))

/** After a 401: an ended session is ended; an expired token is refreshed, at most every 30 s (a wrong clock must not make a storm). */
export async function noteUnauthorized(device: Device, code: string | null): Promise<void> {
  if (code === refusalCodes.SESSION_ENDED || code === 'NO_SESSION') {
    const { data, error } = await (await loadClient(device)).auth.getSession()
    // Without an answer nobody has said that the session is over: it is renewed when the network is back.
    const isUnanswered = error?.name === 'AuthRetryableFetchError'
    if (code === refusalCodes.SESSION_ENDED || (!data.session && !isUnanswered)) sessionEnded(device).emit()
    return
  }
  if (device.clock.elapsed() - refreshes(device).lastAt < 30_000) return
  refreshes(device).lastAt = device.clock.elapsed()
  const { error } = await (await loadClient(device)).auth.refreshSession()
  if (error) console.warn('The session could not be refreshed.', error.message)
  else renewals(device).set(renewals(device).get() + 1)
}
