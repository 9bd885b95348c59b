import { type Device, devicePart } from '#web/data/browser/device.ts'
import { observable } from '#web/lib/observable.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'
import type { Operation } from './operation.ts'
import { outboxDatabase } from './outbox-db.ts'

interface QueueState {
  userId: string | null
  /** Whether the outbox has been read. Before that, the number of operations is not known. */
  isReady: boolean
  operations: readonly Operation[]
}

/** The operations in the outbox of the signed-in user, in the order of sending. All tabs have the same operations. */
export const queue = devicePart((device) => {
  const state = observable<QueueState>({ userId: null, isReady: false, operations: [] })
  onTabMessage(device, (message) => {
    if (message.type === 'operations' && message.userId === state.get().userId)
      void readAfterMessage(device, message.userId)
  })
  return state
})

/** This tab's copy of the outbox. */
const outboxCopy = devicePart(() => {
  const noOperations: readonly Operation[] = []
  return {
    /** The operations that are stored in the outbox. */
    stored: noOperations,
    /** The operations that screens already show but that are not stored yet (for a few milliseconds). They come after all stored ones. */
    unwritten: noOperations,
    /** Counts how often this tab has written the outbox. */
    writes: 0,
    isReading: false,
    mustReadAgain: false,
  }
})

/** Reads the outbox of a user into the queue. From then on, the queue follows the changes that other tabs make. */
export async function openQueue(device: Device, userId: string): Promise<void> {
  const copy = outboxCopy(device)
  if (queue(device).get().userId === userId) return
  copy.unwritten = []
  copy.stored = []
  queue(device).set({ userId, isReady: false, operations: [] })
  await readQueue(device, userId)
}

/** Empties the queue in memory (after a sign-out, or before another user's queue is read). */
export function closeQueue(device: Device): void {
  const copy = outboxCopy(device)
  copy.unwritten = []
  copy.stored = []
  queue(device).set({ userId: null, isReady: false, operations: [] })
}

async function readQueue(device: Device, userId: string): Promise<void> {
  const copy = outboxCopy(device)
  for (;;) {
    const writesBefore = copy.writes
    const operations = await outboxDatabase(device, userId).readAll()
    if (queue(device).get().userId !== userId) return
    // If this tab has written the outbox meanwhile, the operations just read may be stale.
    if (writesBefore !== copy.writes) continue
    copy.stored = operations
    return publish(device)
  }
}

function publish(device: Device): void {
  const copy = outboxCopy(device)
  const { userId } = queue(device).get()
  const writtenIds = new Set(copy.stored.map((operation) => operation.id))
  copy.unwritten = copy.unwritten.filter((operation) => !writtenIds.has(operation.id))
  queue(device).set({
    userId,
    isReady: true,
    operations: [...copy.stored, ...copy.unwritten],
  })
}

/**
 * Adds an operation to the queue. Screens show it before this function returns. Resolves when the operation is stored. If it cannot be
 * stored (for example, the storage is full), rejects and removes the operation. The other operations stay.
 */
export async function addToQueue(device: Device, operation: Operation): Promise<void> {
  const copy = outboxCopy(device)
  copy.unwritten = [...copy.unwritten, operation]
  publish(device)
  const { seq: _, ...operationWithoutSeq } = operation
  let seq: number
  try {
    seq = await outboxDatabase(device, operation.userId).add(operationWithoutSeq)
  } catch (error) {
    copy.unwritten = copy.unwritten.filter((candidate) => candidate.id !== operation.id)
    publish(device)
    throw error
  }
  await applyWrite(device, operation.userId, (stored) =>
    // The operation is already there if the outbox was read since it was stored.
    [...stored.filter((other) => other.seq !== seq), { ...operationWithoutSeq, seq }].sort((a, b) => a.seq - b.seq),
  )
}

/**
 * Removes some operations and replaces others in one transaction. So a settled operation is removed at the moment when the rebased
 * operations are written.
 */
export async function updateQueue(
  device: Device,
  userId: string,
  removeIds: readonly string[],
  replacements: readonly Operation[],
): Promise<void> {
  const writtenOperations = await outboxDatabase(device, userId).update(removeIds, replacements)
  const writtenBySeq = new Map(writtenOperations.map((operation) => [operation.seq, operation]))
  const removedIds = new Set(removeIds)
  await applyWrite(device, userId, (stored) =>
    stored.filter(({ id }) => !removedIds.has(id)).map((operation) => writtenBySeq.get(operation.seq) ?? operation),
  )
}

/** Reads which operations are stored now, including those that other tabs have added. */
export async function readOperations(device: Device, userId: string): Promise<readonly Operation[]> {
  const copy = outboxCopy(device)
  const database = outboxDatabase(device, userId)
  // Reading only the `seq` of each operation is fast. If these are the same as in memory, no tab has added or removed operations.
  if (isLoaded(device, userId)) {
    const storedSeqs = await database.readSequence()
    if (storedSeqs.length === copy.stored.length && storedSeqs.every((seq, index) => copy.stored[index]?.seq === seq))
      return copy.stored
    // Another tab has written the outbox. It may have ended before it sent its message about that.
    await readQueue(device, userId)
    if (isLoaded(device, userId)) return copy.stored
  }
  return database.readAll()
}

/** Applies a write to the outbox also to this tab's copy, so that not all operations have to be read again. Notifies the other tabs. */
async function applyWrite(
  device: Device,
  userId: string,
  change: (stored: readonly Operation[]) => readonly Operation[],
): Promise<void> {
  const copy = outboxCopy(device)
  copy.writes += 1
  postToTabs(device, { type: 'operations', userId })
  if (!isLoaded(device, userId)) return readQueue(device, userId)
  copy.stored = change(copy.stored)
  publish(device)
}

function isLoaded(device: Device, userId: string): boolean {
  return queue(device).get().userId === userId && queue(device).get().isReady
}

/** Reads the outbox again after another tab has changed it. All messages that arrive while it is read cause only one more read. */
async function readAfterMessage(device: Device, userId: string): Promise<void> {
  const copy = outboxCopy(device)
  copy.mustReadAgain = true
  if (copy.isReading) return
  copy.isReading = true
  try {
    while (copy.mustReadAgain) {
      copy.mustReadAgain = false
      await readQueue(device, userId)
    }
  } finally {
    copy.isReading = false
  }
}
