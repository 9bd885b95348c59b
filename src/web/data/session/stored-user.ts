import { type Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { forgetWipe } from './unfinished-wipe.ts'

/** Another user's unsent operations are kept on this device for so long (design 2.7). */
const keepUnsentDays = 30

/** Name of the local database with the rows of a user. */
export function rowsDatabaseName(userId: string): string {
  return `banyan-rows-${userId}`
}

/** Name of the local database with the unsent operations of a user. */
export function outboxDatabaseName(userId: string): string {
  return `banyan-outbox-${userId}`
}

/** Key under which something of one user is kept in the key-value store; wiped with the user. */
export function userValueKey(userId: string, name: string): string {
  return `of:${userId}:${name}`
}

/** Removes everything of a user from this device, unsent operations too (sign-out). Needs no network. */
export async function wipeUser(device: Device, userId: string): Promise<void> {
  await wipeRows(device, userId)
  await deleteDatabase(device, outboxDatabaseName(userId))
  await forgetWipe(device, userId)
}

/** Removes the rows of a user but keeps the unsent operations, unopened, for 30 days (another user signs in here). */
export async function forgetUser(device: Device, userId: string): Promise<void> {
  await wipeRows(device, userId)
  await keyValueStore(device).set(leftKey(userId), String(device.clock.now()))
}

/** Removes unsent operations whose 30 days are over; `present` is the user who is here now. */
export async function pruneForgotten(device: Device, present: string): Promise<void> {
  for (const key of await keyValueStore(device).keys()) {
    if (!key.startsWith('left:')) continue
    const userId = key.slice('left:'.length)
    if (userId === present) {
      await keyValueStore(device).remove(key)
      continue
    }
    const left = Number((await keyValueStore(device).get(key)) ?? 0)
    if (device.clock.now() - left < keepUnsentDays * 86_400_000) continue
    await deleteDatabase(device, outboxDatabaseName(userId))
    await keyValueStore(device).remove(key)
  }
}

async function wipeRows(device: Device, userId: string): Promise<void> {
  device.tabStorage?.clear()
  for (const key of await keyValueStore(device).keys()) {
    if (key.startsWith(userValueKey(userId, ''))) await keyValueStore(device).remove(key)
  }
  await deleteDatabase(device, rowsDatabaseName(userId))
}

function leftKey(userId: string): string {
  return `left:${userId}`
}

/** Connections of other tabs close when asked (`versionchange`), so a blocked deletion goes on by itself; 2 s is the longest wait here. */
function deleteDatabase(device: Device, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = device.indexedDB.deleteDatabase(name)
    request.addEventListener('success', () => resolve())
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB gave up.')))
    request.addEventListener('blocked', () => device.clock.setTimeout(resolve, 2000))
  })
}
