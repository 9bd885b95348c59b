import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { observable } from '#web/lib/observable.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'
import type { Operation } from './operation.ts'
import { outboxDatabase } from './outbox-db.ts'

interface QueueState {
  userId: string | null
  /** False until the outbox has been read: nothing may be said of it before. */
  ready: boolean
  operations: readonly Operation[]
}

/** The outbox of the signed-in user as this tab sees it: the same in all tabs, in order of sending. */
export const queue = devicePart((device) => {
  const state = observable<QueueState>({ userId: null, ready: false, operations: [] })
  onTabMessage(device, (message) => {
    if (message.type === 'operations' && message.userId === state.get().userId) void follow(device, message.userId)
  })
  return state
})

/** What this tab knows of the outbox. */
const memory = devicePart(() => {
  const none: readonly Operation[] = []
  return {
    /** On the disk. */
    stored: none,
    /** What screens show but is not on the disk yet (a few milliseconds); it comes after all others. */
    unwritten: none,
    /** How often this tab has written. */
    writes: 0,
    isFollowing: false,
    hasMore: false,
  }
})

/** Reads the outbox of a user; from then on it follows what other tabs do with it. */
export async function openQueue(device: Device, userId: string): Promise<void> {
  if (queue(device).get().userId === userId) return
  memory(device).unwritten = []
  memory(device).stored = []
  queue(device).set({ userId, ready: false, operations: [] })
  await readQueue(device, userId)
}

/** Forgets it in memory (sign-out, another user). */
export function closeQueue(device: Device): void {
  memory(device).unwritten = []
  memory(device).stored = []
  queue(device).set({ userId: null, ready: false, operations: [] })
}

async function readQueue(device: Device, userId: string): Promise<void> {
  for (;;) {
    const begun = memory(device).writes
    const operations = await outboxDatabase(device, userId).readAll()
    if (queue(device).get().userId !== userId) return
    // Something of ours was written meanwhile: what was read is old.
    if (begun !== memory(device).writes) continue
    memory(device).stored = operations
    return publish(device)
  }
}

function publish(device: Device): void {
  const { userId } = queue(device).get()
  const written = new Set(memory(device).stored.map((operation) => operation.id))
  memory(device).unwritten = memory(device).unwritten.filter((operation) => !written.has(operation.id))
  queue(device).set({ userId, ready: true, operations: [...memory(device).stored, ...memory(device).unwritten] })
}

/**
 * Adds an operation: screens see it before this returns, the promise resolves when it is on the disk. Rejects, and takes it back, when
 * the disk refuses (quota); what was in the queue before is untouched.
 */
export async function addToQueue(device: Device, operation: Operation): Promise<void> {
  memory(device).unwritten = [...memory(device).unwritten, operation]
  publish(device)
  const { seq: _, ...row } = operation
  let seq: number
  try {
    seq = await outboxDatabase(device, operation.userId).add(row)
  } catch (error) {
    memory(device).unwritten = memory(device).unwritten.filter((candidate) => candidate.id !== operation.id)
    publish(device)
    throw error
  }
  await changed(device, operation.userId, (present) => [...present, { ...row, seq }].sort((a, b) => a.seq - b.seq))
}

/** Removes operations and writes others anew in one transaction: an answer and what it means for those behind it are never apart. */
export async function updateQueue(
  device: Device,
  userId: string,
  removeIds: readonly string[],
  put: readonly Operation[],
): Promise<void> {
  const written = await outboxDatabase(device, userId).update(removeIds, put)
  const kept = new Map(written.map((operation) => [operation.seq, operation]))
  const removed = new Set(removeIds)
  await changed(device, userId, (present) =>
    present.filter(({ id }) => !removed.has(id)).map((operation) => kept.get(operation.seq) ?? operation),
  )
}

/** The queue as it is on the disk now, other tabs' work included. */
export async function readOperations(device: Device, userId: string): Promise<readonly Operation[]> {
  const database = outboxDatabase(device, userId)
  // The numbers alone are read quickly: where they are those in memory, nobody has added or removed anything.
  if (isHere(device, userId)) {
    const numbers = await database.readPlaces()
    if (
      numbers.length === memory(device).stored.length &&
      numbers.every((seq, index) => memory(device).stored[index]?.seq === seq)
    )
      return memory(device).stored
  }
  return database.readAll()
}

/** What was written is known here at once, without reading hundreds again for each; the other tabs are told. */
async function changed(
  device: Device,
  userId: string,
  change: (present: readonly Operation[]) => readonly Operation[],
): Promise<void> {
  memory(device).writes += 1
  postToTabs(device, { type: 'operations', userId })
  if (!isHere(device, userId)) return readQueue(device, userId)
  memory(device).stored = change(memory(device).stored)
  publish(device)
}

function isHere(device: Device, userId: string): boolean {
  return queue(device).get().userId === userId && queue(device).get().ready
}

/** Reads what another tab wrote; of hundreds of messages in a row only the last one matters. */
async function follow(device: Device, userId: string): Promise<void> {
  memory(device).hasMore = true
  if (memory(device).isFollowing) return
  memory(device).isFollowing = true
  try {
    while (memory(device).hasMore) {
      memory(device).hasMore = false
      await readQueue(device, userId)
    }
  } finally {
    memory(device).isFollowing = false
  }
}
