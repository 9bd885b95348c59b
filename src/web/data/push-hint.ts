import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { sessionState } from '#web/data/session/session.ts'
import { type PushState, readPushState } from './push.ts'

/** What is missing for pushes to this browser. There is no hint where the server sends none: the user cannot change that. */
export type PushHint = Exclude<PushState, 'on' | 'unoffered'>

/** The users who have dismissed the hint in this browser. */
const key = 'push-hint'

/** Null: nothing is missing, or the user has dismissed the hint on this device. */
export async function readPushHint(device: Device): Promise<PushHint | null> {
  const state = await readPushState(device)
  if (state === 'on' || state === 'unoffered') return null
  return (await dismissed(device)).includes(userOf(device)) ? null : state
}

/** The user does not want to see it again on this device. */
export async function dismissPushHint(device: Device): Promise<void> {
  const users = new Set([...(await dismissed(device)), userOf(device)])
  await keyValueStore(device).remember(key, [...users].join(' '))
}

async function dismissed(device: Device): Promise<string[]> {
  return (await keyValueStore(device).get(key))?.split(' ') ?? []
}

function userOf(device: Device): string {
  return sessionState(device).get().session?.userId ?? ''
}
