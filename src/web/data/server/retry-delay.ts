import type { Device } from '#web/data/browser/device.ts'
import { reachable, serverPause } from './network.ts'
import { RpcError } from './rpc.ts'

/** Minimum delay before a request to a busy server is repeated (ms). If the server asks for a longer pause, that pause is kept. */
const minRetryDelayMs = 3000

/**
 * Returns the delay (ms) after which a request that got this error is repeated by a timer. Null if no timer repeats it: a refusal is not repeated,
 * and for an unreachable server the caller waits until it is reachable.
 */
export function retryDelayMsAfter(device: Device, error: unknown): number | null {
  if (!(error instanceof RpcError) || !error.isTemporary || !reachable(device).get()) return null
  return Math.max(minRetryDelayMs, serverPause(device))
}
