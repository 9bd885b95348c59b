import { updateRecord } from '#web/data/changes/update-record.ts'
import { fetchNotifications } from '#web/data/inbox-requests.ts'
import { addNote } from '#web/data/notes.ts'
import { readStored } from '#web/data/inbox-state.ts'
import { markRead } from '#web/data/mark-read.ts'
import { notificationsNow } from '#web/data/notifications.ts'
import { query } from '../query.ts'
import type { SimDevice } from './sim-device.ts'
import type { SimTable, SimWorld } from './sim-world.ts'

/** Returns actions with their weights: assign a record to the other person, mention them in a note, fetch notifications or mark some as read. */
export function notificationActions(
  sim: SimDevice,
  random: () => number,
  { world, table, id }: { world: SimWorld; table: SimTable; id: string | undefined },
): [number, () => void][] {
  const { device, data, person } = sim
  const colleague = person.id === world.ana.id ? world.bo : world.ana
  const ignoreFailure = (outcome: Promise<unknown>) => void outcome.catch(() => {})
  const assigneeColumn = table === 'tasks' ? 'assignee_id' : 'owner_id'
  return [
    [4, () => id !== undefined && ignoreFailure(updateRecord(device, table, id, { [assigneeColumn]: colleague.id }))],
    [
      4,
      () => {
        if (id === undefined || table === 'tasks') return
        const body = `@[Other](user:${colleague.id}) ${Math.floor(random() * 1e9)}`
        ignoreFailure(addNote(device, table, id, { kind: 'note', body, occurred_at: null }))
      },
    ],
    [
      4,
      () => {
        if (!data) return
        const notifications = notificationsNow(data)
        // In the app a timer fetches the notifications. The simulated tab does not have this timer.
        if (!notifications) return ignoreFailure(readStored(data).then(() => fetchNotifications(data)))
        ignoreFailure(
          markRead(
            data,
            notifications.flatMap(({ id: notificationId }) => (random() < 0.5 ? [notificationId] : [])),
          ),
        )
      },
    ],
  ]
}

/**
 * Returns a sentence for each difference between a device's notifications and the server's, for each notification of the person's own action, and
 * one more if the person was notified twice of the same note.
 */
export async function wrongNotifications(world: SimWorld, brandId: string, sim: SimDevice): Promise<string[]> {
  const { data, person } = sim
  if (!data) return []
  await readStored(data)
  await fetchNotifications(data)
  const rows = await query<{ id: string; isRead: boolean; isOwn: boolean; about: string | null }>(
    world.server,
    `select id, read_at is not null as "isRead", actor_id is not distinct from user_id as "isOwn", note_id as about
     from public.notifications where brand_id = $1 and user_id = $2 order by created_at desc, id limit 100`,
    brandId,
    person.id,
  )
  const isReadById = new Map(notificationsNow(data)?.map(({ id, read_at }) => [id, read_at !== null]))
  const errors = rows.flatMap(({ id, isRead, isOwn }) => [
    ...(isReadById.get(id) === isRead
      ? []
      : [`${person.email}, notification ${id}: ${isReadById.get(id)} instead of ${isRead}`]),
    ...(isOwn ? [`${person.email} was notified of what they did`] : []),
  ])
  if (isReadById.size !== rows.length)
    errors.push(`${person.email} has ${isReadById.size} notifications instead of ${rows.length}`)
  const mentions = rows.flatMap(({ about: noteId }) => noteId ?? [])
  if (new Set(mentions).size < mentions.length) errors.push(`${person.email} was notified twice of one note`)
  return errors
}
