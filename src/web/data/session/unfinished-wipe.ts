import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'

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

/** Removes the record that a user is being wiped, because the wipe is done. */
export function clearWipeRecord(device: Device, userId: string): Promise<void> {
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
