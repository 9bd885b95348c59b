import type { Notification } from '#shared/rows.ts'
import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { sessionState } from '#web/data/session/session.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'

export interface NotificationSettings {
  /** IANA name. Null if the user has not set anything yet. */
  time_zone: string | null
  /** Local times, HH:MM. Null if there are no quiet hours. */
  quiet_from: string | null
  quiet_until: string | null
  /** Kinds that are not pushed. Absent if this server does not offer the choice. */
  muted_kinds?: readonly string[]
}

/** The kinds of notifications that can be pushed to a user's devices. */
export type PushedKind = Exclude<Notification['kind'], 'added_to_brand'>

/** The user's notification settings, for all brands. */
export const notificationSettings = onlineValue<NotificationSettings>((device, userId) =>
  rpc(device, userId, 'notification_settings', {}),
)

/** Sets the quiet hours, in this device's time zone. Null removes them. */
export async function setQuietHours(device: Device, hours: { from: string; until: string } | null): Promise<Outcome> {
  const args = { p_time_zone: timeZone(), p_quiet_from: hours?.from ?? null, p_quiet_until: hours?.until ?? null }
  const outcome = await changeOnline(
    device,
    'quiet-hours',
    (server) => server.rpc('set_notification_settings', args),
    'call',
  )
  await notificationSettings(device).reload()
  return outcome
}

/** Sets whether notifications of this kind are pushed to the user's devices. */
export async function setPushedKind(device: Device, kind: PushedKind, isOn: boolean): Promise<Outcome> {
  const args = { p_kind: kind, p_is_on: isOn }
  const outcome = await changeOnline(device, `pushed-${kind}`, (server) => server.rpc('set_pushed_kind', args), 'call')
  await notificationSettings(device).reload()
  return outcome
}

/** Returns the time zone of this device: 'Europe/London'. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

/**
 * Sends this device's time zone to the server, unless it is the one that this device sent last. If a task is due on a day without a time, its
 * reminder is sent at nine in this time zone. Rejects with RpcError.
 */
export async function sendTimeZone(device: Device): Promise<void> {
  const userId = sessionState(device).get().session?.userId
  if (!userId) return
  const store = keyValueStore(device)
  const key = userValueKey(userId, 'time-zone')
  const zone = timeZone()
  if ((await store.get(key)) === zone) return
  const settings = await rpc<NotificationSettings>(device, userId, 'notification_settings', {})
  const { quiet_from, quiet_until } = settings
  const args = { p_time_zone: zone, p_quiet_from: quiet_from, p_quiet_until: quiet_until }
  await rpc(device, userId, 'set_notification_settings', args)
  // If the user has signed out meanwhile, nothing of that user may be stored on this device.
  if (sessionState(device).get().session?.userId === userId) await store.set(key, zone)
}
