import { liveValue } from '../live-value.ts'
import { hearTabs, tellTabs } from '../tab-channel.ts'
import type { Operation } from './operation.ts'
import { outboxDatabase } from './outbox-db.ts'

interface QueueState {
  userId: string | null
  /** False until the outbox has been read: nothing may be said of it before. */
  ready: boolean
  operations: readonly Operation[]
}

/** The outbox of the signed-in user as this tab sees it: the same in all tabs, in order of sending. */
export const queue = liveValue<QueueState>({ userId: null, ready: false, operations: [] })

/** Operations that screens show but that are not on the disk yet (a few milliseconds); they come after all others. */
let unwritten: readonly Operation[] = []
let stored: readonly Operation[] = []

/** Reads the outbox of a user; from then on it follows what other tabs do with it. */
export async function openQueue(userId: string): Promise<void> {
  if (queue.get().userId === userId) return
  unwritten = []
  stored = []
  queue.set({ userId, ready: false, operations: [] })
  await readQueue(userId)
}

/** Forgets it in memory (sign-out, another user). */
export function closeQueue(): void {
  unwritten = []
  stored = []
  queue.set({ userId: null, ready: false, operations: [] })
}

async function readQueue(userId: string): Promise<void> {
  const operations = await outboxDatabase(userId).operations.orderBy('seq').toArray()
  if (queue.get().userId !== userId) return
  stored = operations
  publish()
}

function publish(): void {
  const { userId } = queue.get()
  const written = new Set(stored.map((operation) => operation.id))
  unwritten = unwritten.filter((operation) => !written.has(operation.id))
  queue.set({ userId, ready: true, operations: [...stored, ...unwritten] })
}

/**
 * Adds an operation: screens see it before this returns, the promise resolves when it is on the disk. Rejects, and takes it back, when
 * the disk refuses (quota); what was in the queue before is untouched.
 */
export async function addToQueue(operation: Operation): Promise<void> {
  unwritten = [...unwritten, operation]
  publish()
  const { seq: _, ...row } = operation
  try {
    await outboxDatabase(operation.userId).operations.add(row)
  } catch (error) {
    unwritten = unwritten.filter((candidate) => candidate.id !== operation.id)
    publish()
    throw error
  }
  await changed(operation.userId)
}

/** Removes operations and writes others anew in one transaction: an answer and what it means for those behind it are never apart. */
export async function updateQueue(
  userId: string,
  removeIds: readonly string[],
  put: readonly Operation[],
): Promise<void> {
  const { dexie, operations } = outboxDatabase(userId)
  await dexie.transaction('rw', operations, async () => {
    if (removeIds.length > 0) await operations.where('id').anyOf(removeIds).delete()
    // What was discarded meanwhile (another tab) does not come back.
    const present = await operations.bulkGet(put.map((operation) => operation.seq))
    await operations.bulkPut(put.filter((_, index) => present[index]))
  })
  await changed(userId)
}

/** The queue as it is on the disk now, other tabs' work included. */
export function readOperations(userId: string): Promise<Operation[]> {
  return outboxDatabase(userId).operations.orderBy('seq').toArray()
}

async function changed(userId: string): Promise<void> {
  await readQueue(userId)
  tellTabs({ type: 'operations', userId })
}

hearTabs((message) => {
  if (message.type === 'operations' && message.userId === queue.get().userId) void readQueue(message.userId)
})
