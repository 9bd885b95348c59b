import { activeBrandState } from './active-brand.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import { rpc } from '#web/data/server/rpc.ts'

/** One line of the active brand's log; nobody can edit it. */
export interface AuditEvent {
  id: number
  at: string
  event: string
  user_id: string | null
  /** What they call themselves, or their address. */
  who: string | null
  detail: Record<string, unknown> | null
}

/** Lines of one answer. */
const pageValue = 50

interface AuditLog {
  events: readonly AuditEvent[]
  /** There are older ones. */
  hasMore: boolean
}

let pages = 1

/** The newest events of the active brand; owners only (RPC audit_log). */
export const auditLog = onlineValue<AuditLog>(async (userId) => {
  const events: AuditEvent[] = []
  for (let page = 0; page < pages; page++) {
    const args = { p_brand_id: activeBrandState.get().brandId, p_before: events.at(-1)?.id ?? null, p_limit: pageValue }
    const answer = await rpc<AuditEvent[]>(userId, 'audit_log', args)
    events.push(...answer)
    if (answer.length < pageValue) return { events, hasMore: false }
  }
  return { events, hasMore: true }
}, activeBrandState)

/** One more page of older ones. */
export function showOlder(): Promise<void> {
  pages += 1
  return auditLog.reload()
}

/** Begins with the newest page again. */
export function showNewest(): void {
  pages = 1
}
