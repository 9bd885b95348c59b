import { type Device, devicePart } from '#web/data/browser/device.ts'
import { activeBrandState } from './active-brand.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import { rpc } from '#web/data/server/rpc.ts'

/** One line of the active brand's audit log. Nobody can edit it. */
export interface AuditEvent {
  id: number
  at: string
  event: string
  user_id: string | null
  /** The user's name or email address. */
  who: string | null
  detail: Record<string, unknown> | null
}

/** Events per answer. */
const pageSize = 50

interface AuditLog {
  events: readonly AuditEvent[]
  /** True if the last answer was a full page, so that there may be older events. */
  hasMore: boolean
}

/** The number of pages that the next load requests. */
const pagesToLoad = devicePart(() => ({ pages: 1 }))

/** The newest events of the active brand (RPC audit_log). Only owners may read them. */
export const auditLog = onlineValue<AuditLog>(async (device, userId) => {
  const events: AuditEvent[] = []
  for (let page = 0; page < pagesToLoad(device).pages; page++) {
    const args = {
      p_brand_id: activeBrandState(device).get().brandId,
      p_before: events.at(-1)?.id ?? null,
      p_limit: pageSize,
    }
    const answer = await rpc<AuditEvent[]>(device, userId, 'audit_log', args)
    events.push(...answer)
    if (answer.length < pageSize) return { events, hasMore: false }
  }
  return { events, hasMore: true }
}, activeBrandState)

/** Loads one more page of older events. */
export function loadOlderEvents(device: Device): Promise<void> {
  pagesToLoad(device).pages += 1
  return auditLog(device).reload()
}

/** Makes the next load return only the newest page. */
export function resetToNewestEvents(device: Device): void {
  pagesToLoad(device).pages = 1
}
