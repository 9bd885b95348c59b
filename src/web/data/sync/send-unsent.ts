import type { Device } from '#web/data/browser/device.ts'
import { wait } from '#web/data/browser/wait.ts'
import { sendWaiting } from '#web/data/changes/sender.ts'
import { readSession } from '#web/data/session/session.ts'
import { openQueue } from '#web/data/store/queue.ts'
import { countUnsent } from './sync-status.ts'

/**
 * Sends the waiting operations. Waits at most 10 s until they are sent; sending continues after that. Returns how many operations are left at that
 * moment, including those that need the user's attention. Returns 0 without a session.
 */
export async function sendUnsent(device: Device): Promise<number> {
  const session = await readSession(device)
  if (!session) return 0
  await openQueue(device, session.userId)
  await Promise.race([sendWaiting(device), wait(device, 10_000)])
  return countUnsent(device)
}
