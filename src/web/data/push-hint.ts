import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { sessionState } from '#web/data/session/session.ts'
import { type PushState, readPushState } from './push.ts'

/**
 * The reason why this browser gets no pushes, for a hint. There is no hint if the server sends no pushes, because the user cannot change
 * that.
 */
export type PushHint = Exclude<PushState, 'on' | 'unoffered'>

/** The key of the stored ids of the users who have dismissed the hint in this browser. */
const dismissedKey = 'push-hint'

/** Reads the reason for the hint. Null if pushes work, or if the user has dismissed the hint on this device. */
export async function readPushHint(device: Device): Promise<PushHint | null> {
  const state = await readPushState(device)
  if (state === 'on' || state === 'unoffered') return null
  return (await dismissedUserIds(device)).includes(userIdOf(device)) ? null : state
}

/** Records that the user has dismissed the hint on this device. */
export async function dismissPushHint(device: Device): Promise<void> {
  const users = new Set([...(await dismissedUserIds(device)), userIdOf(device)])
  await keyValueStore(device).remember(dismissedKey, [...users].join(' '))
}

async function dismissedUserIds(device: Device): Promise<string[]> {
  return (await keyValueStore(device).get(dismissedKey))?.split(' ') ?? []
}

function userIdOf(device: Device): string {
  return sessionState(device).get().session?.userId ?? ''
}
