import type { Device } from '#web/data/browser/device.ts'
import { reachable, serverPause } from './network.ts'
import { RpcError } from './rpc.ts'

/** A busy server is asked again after this time (ms), or after the pause that it asks for. */
const againMs = 3000

/**
 * After how long (ms) a question is asked again that got this error; null: not by a timer. A server that is not reached is asked when it is, and
 * a refusal stays one.
 */
export function busyPause(device: Device, error: unknown): number | null {
  if (!(error instanceof RpcError) || !error.isTemporary || !reachable(device).get()) return null
  return Math.max(againMs, serverPause(device))
}
