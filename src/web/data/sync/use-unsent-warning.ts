import { type Device, useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { sessionState } from '#web/data/session/session.ts'
import { readOperations } from '#web/data/store/queue.ts'
import { countOf } from '#web/lib/count.ts'
import { sendUnsent } from './send-unsent.ts'

interface UnsentWarning {
  /** The sentence that says how many changes would be lost. Null if none would be lost, or before the first `sendAndCheck`. */
  warning: string | null
  /** Sends the waiting operations. Returns true if all were sent, or if the warning has already named all that are left. */
  sendAndCheck: () => Promise<boolean>
}

/**
 * Returns the warning before an action that would discard unsent operations: those of one brand (`brandIdOf`), or of all brands. Call `sendAndCheck`
 * before the action. If `sendAndCheck` returns false, show the warning and let the person decide.
 */
export function useUnsentWarning(brandIdOf?: (device: Device) => string): UnsentWarning {
  const device = useDevice()
  const [namedCount, setNamedCount] = useState(0)
  const sendAndCheck = async () => {
    const leftCount = await sendAndCountLeft(device, brandIdOf?.(device))
    setNamedCount(leftCount)
    return leftCount <= namedCount
  }
  const warning =
    namedCount > 0 ? `${countOf(namedCount, 'change', 'changes')} could not be sent and will be lost.` : null
  return { warning, sendAndCheck }
}

/** Sends the waiting operations, and counts those that are left: all, or those of one brand. */
async function sendAndCountLeft(device: Device, brandId: string | undefined): Promise<number> {
  const leftCount = await sendUnsent(device)
  if (leftCount === 0 || brandId === undefined) return leftCount
  const { session } = sessionState(device).get()
  const operations = session ? await readOperations(device, session.userId) : []
  return operations.filter((operation) => operation.brandId === brandId).length
}
