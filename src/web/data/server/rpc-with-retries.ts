import type { Device } from '#web/data/browser/device.ts'
import { serverPause } from './network.ts'
import { RpcError, rpc } from './rpc.ts'

/** Why a request is sent again: no response came (`silent`), or a response with a temporary error, such as 401, 429 or 503 (`busy`). */
export type WaitReason = 'silent' | 'busy'

const retryDelaysMs = [500, 1000, 2000, 4000, 8000]

export interface RetryOptions {
  signal: AbortSignal
  /** Called with the reason before each pause between two attempts, and with null when a repeated request has succeeded. */
  onWaiting?: (waiting: WaitReason | null) => void
}

/**
 * Calls an RPC that may safely be sent twice, and sends it again until the server accepts or refuses it, or `signal` is aborted. Rejects with
 * RpcError: the server's refusal or, after `signal` is aborted, the last failure.
 */
export async function rpcWithRetries<T>(
  device: Device,
  userId: string,
  name: string,
  args: Record<string, unknown>,
  { signal, onWaiting }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await rpc<T>(device, userId, name, args)
      if (attempt > 0) onWaiting?.(null)
      return answer
    } catch (error) {
      if (!(error instanceof RpcError) || !error.isTemporary) throw error
      if (signal.aborted) throw error
      onWaiting?.(error.status === 0 ? 'silent' : 'busy')
      const delayMs = retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)] ?? 8000
      await waitUnlessAborted(device, Math.max(delayMs, serverPause(device)), signal)
      if (signal.aborted) throw error
    }
  }
}

/** Resolves after this time, or when `signal` is aborted. */
function waitUnlessAborted(device: Device, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      device.clock.clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = device.clock.setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
