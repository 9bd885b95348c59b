import { type Device, devicePart } from '#web/data/browser/device.ts'
import { observable } from '#web/lib/observable.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'
import type { Operation } from './operation.ts'
import { outboxDatabase } from './outbox-db.ts'

interface QueueState {
  userId: string | null
  /** Whether the outbox has been read. Until then its length is not known. */
  ready: boolean
  operations: readonly Operation[]
}

/** The operations in the outbox of the signed-in user, in order of sending. All tabs have the same. */
export const queue = devicePart((device) => {
  const state = observable<QueueState>({ userId: null, ready: false, operations: [] })
  onTabMessage(device, (message) => {
    if (message.type === 'operations' && message.userId === state.get().userId)
      void readAfterMessage(device, message.userId)
  })
  return state
})

/** This tab's copy of the outbox. */
const outboxCopy = devicePart(() => {
  const none: readonly Operation[] = []
  return {
    /** The operations that are stored. */
    stored: none,
    /** Operations that screens already show but that are not stored yet (for a few milliseconds). They come after all others. */
    unwritten: none,
    /** Counts the writes of this tab. */
    writes: 0,
    isReading: false,
    mustReadAgain: false,
  }
})

/** Reads the outbox of a user. After that the queue follows the changes of other tabs. */
export async function openQueue(device: Device, userId: string): Promise<void> {
  const copy = outboxCopy(device)
  if (queue(device).get().userId === userId) return
  copy.unwritten = []
  copy.stored = []
  queue(device).set({ userId, ready: false, operations: [] })
  await readQueue(device, userId)
}

/** Empties the queue in memory (sign-out, another user). */
export function closeQueue(device: Device): void {
  const copy = outboxCopy(device)
  copy.unwritten = []
  copy.stored = []
  queue(device).set({ userId: null, ready: false, operations: [] })
}

async function readQueue(device: Device, userId: string): Promise<void> {
  const copy = outboxCopy(device)
  for (;;) {
    const writesBefore = copy.writes
    const operations = await outboxDatabase(device, userId).readAll()
    if (queue(device).get().userId !== userId) return
    // This tab has written meanwhile, so the result may be stale.
    if (writesBefore !== copy.writes) continue
    copy.stored = operations
    return publish(device)
  }
}

function publish(device: Device): void {
  const copy = outboxCopy(device)
  const { userId } = queue(device).get()
  const written = new Set(copy.stored.map((operation) => operation.id))
  copy.unwritten = copy.unwritten.filter((operation) => !written.has(operation.id))
  queue(device).set({
    userId,
    ready: true,
    operations: [...copy.stored, ...copy.unwritten],
  })
}

/**
 * Adds an operation. Screens show it before this returns. Resolves when it is stored. Rejects and removes it if the write fails (quota); the other
 * operations stay.
 */
export async function addToQueue(device: Device, operation: Operation): Promise<void> {
  const copy = outboxCopy(device)
  copy.unwritten = [...copy.unwritten, operation]
  publish(device)
  const { seq: _, ...row } = operation
  let seq: number
  try {
    seq = await outboxDatabase(device, operation.userId).add(row)
  } catch (error) {
    copy.unwritten = copy.unwritten.filter((candidate) => candidate.id !== operation.id)
    publish(device)
    throw error
  }
  await applyWrite(device, operation.userId, (stored) => [...stored, { ...row, seq }].sort((a, b) => a.seq - b.seq))
}

/**
 * Removes operations and replaces others in one transaction, so that a settled operation is removed together with writing the rebased
 * ones.
 */
export async function updateQueue(
  device: Device,
  userId: string,
  removeIds: readonly string[],
  put: readonly Operation[],
): Promise<void> {
  const written = await outboxDatabase(device, userId).update(removeIds, put)
  const replacements = new Map(written.map((operation) => [operation.seq, operation]))
  const removed = new Set(removeIds)
  await applyWrite(device, userId, (stored) =>
    stored.filter(({ id }) => !removed.has(id)).map((operation) => replacements.get(operation.seq) ?? operation),
  )
}

/** Returns the operations that are stored now, including those of other tabs. */
export async function readOperations(device: Device, userId: string): Promise<readonly Operation[]> {
  const copy = outboxCopy(device)
  const database = outboxDatabase(device, userId)
  // Reading only the numbers is fast. If they equal those in memory, no tab has added or removed operations.
  if (isLoaded(device, userId)) {
    const numbers = await database.readSequence()
    if (numbers.length === copy.stored.length && numbers.every((seq, index) => copy.stored[index]?.seq === seq))
      return copy.stored
  }
  return database.readAll()
}

/** Applies a write to this tab's copy instead of reading all operations again, and notifies the other tabs. */
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
  return queue(device).get().userId === userId && queue(device).get().ready
}

/** Reads the outbox after a message from another tab. All messages that arrive meanwhile together cause one more read. */
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
