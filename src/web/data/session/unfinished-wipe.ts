import { type Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'

/** Notes that everything of a user is to go: a browser that is closed in the middle of it goes on at its next start. */
export function noteWipe(device: Device, userId: string): Promise<void> {
  return keyValueStore(device).set(wipeKey(userId), '')
}

/** It is done, or the user has signed in again. */
export function forgetWipe(device: Device, userId: string): Promise<void> {
  return keyValueStore(device).remove(wipeKey(userId))
}

/** Whether everything of a user is still to go. */
export async function isToBeWiped(device: Device, userId: string): Promise<boolean> {
  return (await keyValueStore(device).get(wipeKey(userId))) !== null
}

/** The users of whom everything is still to go. */
export async function unfinishedWipes(device: Device): Promise<string[]> {
  const keys = await keyValueStore(device).keys()
  return keys.filter((key) => key.startsWith(wipeKey(''))).map((key) => key.slice(wipeKey('').length))
}

function wipeKey(userId: string): string {
  return `wipe:${userId}`
}
