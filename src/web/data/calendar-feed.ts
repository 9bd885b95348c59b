import type { Device } from '#web/data/browser/device.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import type { Outcome } from '#web/data/session/outcome.ts'

export interface CalendarFeed {
  /** When the URL of the feed was created (ISO). */
  made_at: string
  /** The reason why the feed no longer works: the password was changed, or sessions were ended. Null if it works. */
  ended: 'password' | 'sessions' | null
}

/** The user's calendar feed. `feed` is null if there is none. The server returns the URL only when it is created. */
export const calendarFeed = onlineValue<{ feed: CalendarFeed | null }>(async (device, userId) => ({
  feed: await rpc<CalendarFeed | null>(device, userId, 'calendar_feed', {}),
}))

/** Creates a URL for the feed. An earlier URL stops working. Only this call returns the new URL: it cannot be read again. */
export async function createCalendarFeed(
  device: Device,
): Promise<{ status: 'made'; address: string } | Extract<Outcome, { status: 'refused' }>> {
  let secret: unknown
  const make = (server: Parameters<Parameters<typeof changeOnline>[2]>[0]) => server.rpc('make_calendar_feed', {})
  const outcome = await changeOnline(device, 'calendar', make, 'call', (answer) => (secret = answer))
  await calendarFeed(device).reload()
  if (outcome.status === 'refused') return outcome
  return { status: 'made', address: `${location.origin}/calendar/${String(secret)}.ics` }
}

/** Ends the feed. Its URL stops working. */
export async function endCalendarFeed(device: Device): Promise<Outcome> {
  const outcome = await changeOnline(device, 'calendar', (server) => server.rpc('end_calendar_feed', {}), 'call')
  await calendarFeed(device).reload()
  return outcome
}
