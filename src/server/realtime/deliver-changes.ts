import type { Pool } from 'pg'
import { type Change, readChange } from './change-frames.ts'
import type { LogEntry } from './change-log.ts'
import type { Channel } from './channel.ts'
import { writeFrame } from './frames.ts'
import { isExpired, type SocketCaller } from './caller-token.ts'
import type { LiveTable } from './live-tables.ts'
import { type Subscriber, type SubscriptionIndex, userIdOfSecretKey } from './subscription-index.ts'

/**
 * Delivers the changes of a page to the subscribers who may see them now. A scope is the id that decides who may see a row. The
 * members of the changed scopes are read first, so that the subscriptions of other users are not examined. Then one query per
 * page checks the rights of the possible receivers by the claims of their tokens.
 */
export async function deliverChanges(
  owner: Pool,
  index: SubscriptionIndex,
  tables: ReadonlyMap<number, LiveTable>,
  entries: readonly LogEntry[],
): Promise<void> {
  const changes = entries.flatMap((entry) => {
    const change = readChange(entry, tables)
    return change !== null && index.has(change.table.oid, change.scope) ? [change] : []
  })
  if (changes.length === 0) return
  const members = await readMembers(owner, [...new Set(changes.map(({ scope }) => scope))])
  const matchedChanges = changes.flatMap((change) => {
    const users = new Set([userIdOfSecretKey, ...(members.get(change.scope) ?? []), ...usersNamedIn(change)])
    const subscribers = [...index.find(change.table.oid, change.scope, users)].filter((subscriber) =>
      matches(subscriber, change),
    )
    return subscribers.length > 0 ? [{ change, subscribers }] : []
  })
  if (matchedChanges.length === 0) return
  const maySee = await readRights(owner, matchedChanges)
  for (const { change, subscribers } of matchedChanges) {
    const idsByChannel = new Map<Channel, number[]>()
    for (const { channel, subscription } of subscribers) {
      if (!channel.isOpen || isExpired(channel.caller)) continue
      if (!maySee(channel, change.scope) && !namesCaller(change, channel.caller)) continue
      const ids = idsByChannel.get(channel)
      if (ids) ids.push(subscription.id)
      else idsByChannel.set(channel, [subscription.id])
    }
    for (const [channel, ids] of idsByChannel) send(channel, ids, change.dataJson)
  }
}

/** Whether the event and the filter of the subscription match the change, and the subscriber's token has not expired. */
function matches({ channel, subscription }: Subscriber, change: Change): boolean {
  if (isExpired(channel.caller)) return false
  const { event } = subscription.binding
  if (event !== '*' && event !== change.type) return false
  return subscription.filter === null || subscription.filter.passes(change.row)
}

/**
 * Whether the key or scope of a deleted row contains the caller's user id. The caller must then learn that their access has ended.
 * (Supabase sends every delete to all subscribers of the table.)
 */
function namesCaller(change: Change, { sub }: SocketCaller): boolean {
  return sub !== null && usersNamedIn(change).includes(sub)
}

/**
 * Returns the texts in the key and the scope of a deleted row, because each of them may be a user's id. Returns an empty list
 * for an inserted or updated row.
 */
function usersNamedIn({ type, row }: Change): string[] {
  if (type !== 'DELETE') return []
  return Object.values(row).filter((value) => typeof value === 'string')
}

function send({ socket, topic }: Channel, ids: readonly number[], dataJson: string): void {
  const frame = { joinRef: null, ref: null, topic, event: 'postgres_changes' }
  socket.sendText(writeFrame(frame, `{"ids":${JSON.stringify(ids)},"data":${dataJson}}`, socket.version))
}

/**
 * Returns the ids of the members of each scope, by scope. `readRights` checks later whether the tokens of these members allow
 * them to see a change.
 */
async function readMembers(owner: Pool, scopes: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await owner.query<{ scope: string; members: string[] }>({
    name: 'realtime_members',
    text: 'select scope, array_agg(member::text) as members from private.live_members($1::uuid[]) group by scope',
    values: [scopes],
  })
  return new Map(rows.map(({ scope, members }) => [scope, members]))
}

type ChangesWithSubscribers = readonly { change: Change; subscribers: readonly Subscriber[] }[]

/**
 * Reads the rights of all subscribers on the changed scopes in one query. The returned function says whether the caller
 * of a channel may see the changes of a scope.
 */
async function readRights(
  owner: Pool,
  matchedChanges: ChangesWithSubscribers,
): Promise<(channel: Channel, scope: string) => boolean> {
  const scopes = [...new Set(matchedChanges.map(({ change }) => change.scope))]
  const indexByClaims = new Map<string, number>()
  for (const { subscribers } of matchedChanges)
    for (const { channel } of subscribers) {
      if (!indexByClaims.has(channel.caller.claims)) indexByClaims.set(channel.caller.claims, indexByClaims.size)
    }
  const { rows } = await owner.query<{ caller: number; scope: string }>({
    name: 'realtime_may_hear',
    text: 'select caller, scope from private.may_hear($1::jsonb, $2::uuid[])',
    values: [`[${[...indexByClaims.keys()].join(',')}]`, scopes],
  })
  const allowed = new Set(rows.map(({ caller, scope }) => `${caller} ${scope}`))
  return (channel, scope) => allowed.has(`${indexByClaims.get(channel.caller.claims)} ${scope}`)
}
