import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'

/** Notes that a user is being wiped. A browser that is closed meanwhile continues at its next start. */
export function noteWipe(device: Device, userId: string): Promise<void> {
  return keyValueStore(device).set(wipeKey(userId), '')
}

/** Removes the note: the wipe is done, or the user has signed in again. */
export function clearWipe(device: Device, userId: string): Promise<void> {
  return keyValueStore(device).remove(wipeKey(userId))
}

/** Whether the wipe of a user is not done. */
export async function isToBeWiped(device: Device, userId: string): Promise<boolean> {
  return (await keyValueStore(device).get(wipeKey(userId))) !== null
}

/** The users whose wipe is not done. */
export async function unfinishedWipes(device: Device): Promise<string[]> {
  const keys = await keyValueStore(device).keys()
  return keys.filter((key) => key.startsWith(wipeKey(''))).map((key) => key.slice(wipeKey('').length))
}

function wipeKey(userId: string): string {
  return `wipe:${userId}`
}
