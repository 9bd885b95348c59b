import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { knownUserKey } from '#web/data/server/session-token.ts'
import { linkStorageKey } from '#web/lib/mailed-link.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { removePreferences } from '#web/lib/user-preferences.ts'

/** How many days the unsent operations of another user stay on this device (docs/offline.md). */
const keepUnsentDays = 30

/** The key in a tab's storage of the id of the user whose values are stored there. */
const tabOwnerKey = 'user'

/** Reads the known user: the user who signed in last on this device, even if the session has ended. Null if there is none, or after a sign-out. */
export async function readKnownUser(device: Device): Promise<{ userId: string; email: string } | null> {
  const user: unknown = JSON.parse((await keyValueStore(device).get(knownUserKey)) ?? 'null')
  const userId = textOf(user, 'userId')
  return userId === null ? null : { userId, email: textOf(user, 'email') ?? '' }
}

/** Returns the name of the database with the rows of a user. */
export function rowsDatabaseName(userId: string): string {
  return `banyan-rows-${userId}`
}

/** Returns the name of the database with the unsent operations of a user. */
export function outboxDatabaseName(userId: string): string {
  return `banyan-outbox-${userId}`
}

/** Returns the key of a user's value in the key-value store. The value is deleted when the user is wiped. */
export function userValueKey(userId: string, name: string): string {
  return `of:${userId}:${name}`
}

/**
 * Returns the key of the unsent forms of a user and brand in a tab's storage. These forms are deleted when the user or the brand is wiped.
 */
export function draftsKey(userId: string, brandId: string): string {
  return `drafts:${userId}:${brandId}`
}

/**
 * Removes the rows and the unsent operations of a user from this device, and all that this tab has stored (sign-out). Returns what `deleteData`
 * returns. Needs no network.
 */
export function wipeData(device: Device, userId: string): Promise<boolean> {
  device.tabStorage?.clear()
  return deleteData(device, userId)
}

/**
 * Removes the rows and the unsent operations of a user from this device. Returns true if everything is removed. Only then, the caller may remove the
 * record of `recordWipe`.
 */
export async function deleteData(device: Device, userId: string): Promise<boolean> {
  await removeUserValues(device, userId)
  const names = [rowsDatabaseName(userId), outboxDatabaseName(userId)]
  const isDeleted = await Promise.all(names.map((name) => deleteDatabase(device, name)))
  return isDeleted.every(Boolean)
}

/**
 * Removes the rows of a user, and what this tab has stored, because another user signs in. The unsent operations stay for 30 days, and no other
 * user can open them.
 */
export async function wipeUserRows(device: Device, userId: string): Promise<void> {
  clearTabStorage(device)
  await removeUserValues(device, userId)
  await deleteDatabase(device, rowsDatabaseName(userId))
  await keyValueStore(device).set(leftAtKey(userId), String(device.clock.now()))
}

/**
 * Makes this tab's storage the storage of this user (null: nobody is signed in). Removes the values of another user. Such values are left over if the
 * tab missed that user's sign-out, because it did not respond or was restored by the browser later.
 */
export function claimTabStorage(device: Device, userId: string | null): void {
  const ownerId = device.tabStorage?.getItem(tabOwnerKey) ?? null
  if (ownerId === userId) return
  if (ownerId !== null) clearTabStorage(device)
  if (userId !== null) device.tabStorage?.setItem(tabOwnerKey, userId)
}

/** Clears this tab's storage for another user. The link of an email stays: the other user may have signed in to follow it. */
function clearTabStorage({ tabStorage }: Device): void {
  const link = tabStorage?.getItem(linkStorageKey)
  tabStorage?.clear()
  if (link) tabStorage?.setItem(linkStorageKey, link)
}

/**
 * Deletes the rows of other users, because `wipeUserRows` may not have been able to, and their unsent operations after 30 days. The data of
 * `currentUserId` stays.
 */
export async function pruneUnsent(device: Device, currentUserId: string): Promise<void> {
  for (const key of await keyValueStore(device).keys()) {
    if (!key.startsWith('left:')) continue
    const userId = key.slice('left:'.length)
    if (userId === currentUserId) {
      await keyValueStore(device).remove(key)
      continue
    }
    await deleteDatabase(device, rowsDatabaseName(userId))
    const leftAt = Number((await keyValueStore(device).get(key)) ?? 0)
    if (device.clock.now() - leftAt < keepUnsentDays * 86_400_000) continue
    if (await deleteDatabase(device, outboxDatabaseName(userId))) await keyValueStore(device).remove(key)
  }
}

async function removeUserValues(device: Device, userId: string): Promise<void> {
  removePreferences(userId)
  for (const key of await keyValueStore(device).keys()) {
    if (key.startsWith(userValueKey(userId, ''))) await keyValueStore(device).remove(key)
  }
}

function leftAtKey(userId: string): string {
  return `left:${userId}`
}

/**
 * Deletes a database. Other tabs close their connections at the event `versionchange`, after which a blocked deletion continues. Waits at
 * most 2 s. Returns whether the database was deleted by then. A deletion that is still blocked continues, unless this tab is closed before. An
 * error of IndexedDB is logged.
 */
export function deleteDatabase(device: Device, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = device.indexedDB.deleteDatabase(name)
    request.addEventListener('success', () => resolve(true))
    request.addEventListener('error', () => {
      console.warn('A database could not be deleted.', request.error)
      resolve(false)
    })
    // Does not use the event `blocked`, because a deletion that waits for an earlier deletion does not get this event.
    device.clock.setTimeout(() => resolve(false), 2000)
  })
}
