import type { Device } from '#web/data/browser/device.ts'
import { onlineValue } from './online-value.ts'
import { changeOnline } from './online-only.ts'
import type { Outcome } from './outcome.ts'
import { rpc } from '#web/data/server/rpc.ts'

/** A session of the signed-in user (RPC my_sessions). */
export interface MySession {
  id: string
  created_at: string
  last_seen_at: string | null
  user_agent: string | null
  /** The IP address without its last part. */
  address: string | null
  is_current: boolean
}

/** The sessions of the signed-in user: the current one first, then the most recently used. */
export const mySessions = onlineValue((device, userId) => rpc<MySession[]>(device, userId, 'my_sessions', {}))

/** Ends one session of the signed-in user. From then on, that session can neither read nor write rows. */
export async function endSession(device: Device, id: string): Promise<Outcome> {
  const outcome = await changeOnline(device, id, (server) => server.rpc('end_session', { p_id: id }), 'call')
  await mySessions(device).reload()
  return outcome
}

/** Ends all sessions of the signed-in user except the current one. */
export async function endOtherSessions(device: Device): Promise<Outcome> {
  const outcome = await changeOnline(device, '', (server) => server.rpc('end_other_sessions', {}), 'call')
  await mySessions(device).reload()
  return outcome
}
