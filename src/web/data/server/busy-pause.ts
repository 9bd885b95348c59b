import type { Device } from '#web/data/browser/device.ts'
import { reachable, serverPause } from './network.ts'
import { RpcError } from './rpc.ts'

/** A request to a busy server is repeated after this time, or after the pause that the server asks for. */
const retryAfterMs = 3000

/**
 * Returns the delay (ms) after which a request that got this error is repeated by a timer. Null if no timer repeats it: a refusal is not repeated,
 * and for an unreachable server the caller waits until it is reachable.
 */
export function busyPause(device: Device, error: unknown): number | null {
  if (!(error instanceof RpcError) || !error.isTemporary || !reachable(device).get()) return null
  return Math.max(retryAfterMs, serverPause(device))
}
