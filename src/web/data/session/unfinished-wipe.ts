import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'

/** The value of the record of a wipe after the databases were emptied. Before that, it is ''. */
const emptied = 'emptied'

/**
 * Records that a user is being wiped. If the browser is closed meanwhile, the wipe continues when the app is opened again. Returns false if the
 * record could not be stored, for example on a full disk.
 */
export function recordWipe(device: Device, userId: string): Promise<boolean> {
  return keyValueStore(device)
    .set(wipeKey(userId), '')
    .then(
      () => true,
      () => false,
    )
}

/**
 * Records that the databases of a user who is being wiped are empty, so that only their deletion is missing. A sign-in of the same user may use
 * them.
 */
export async function recordEmptied(device: Device, userId: string): Promise<void> {
  if (await mustBeWiped(device, userId)) await keyValueStore(device).remember(wipeKey(userId), emptied)
}

/** Whether `recordEmptied` was called for this wipe. */
export async function isEmptied(device: Device, userId: string): Promise<boolean> {
  return (await keyValueStore(device).get(wipeKey(userId))) === emptied
}

/** Removes the record that a user is being wiped, because the wipe is done. */
export function clearWipe(device: Device, userId: string): Promise<void> {
  return keyValueStore(device).remove(wipeKey(userId))
}

/** Whether this user's data still has to be wiped. */
export async function mustBeWiped(device: Device, userId: string): Promise<boolean> {
  return (await keyValueStore(device).get(wipeKey(userId))) !== null
}

/** Returns the users whose data still has to be wiped. */
export async function unfinishedWipes(device: Device): Promise<string[]> {
  const keys = await keyValueStore(device).keys()
  return keys.filter((key) => key.startsWith(wipeKey(''))).map((key) => key.slice(wipeKey('').length))
}

function wipeKey(userId: string): string {
  return `wipe:${userId}`
}
