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
export const queue = observable<QueueState>({ userId: null, ready: false, operations: [] })

/** Operations that screens show but that are not on the disk yet (a few milliseconds); they come after all others. */
let unwritten: readonly Operation[] = []
let stored: readonly Operation[] = []
/** How often this tab has written. */
let writes = 0

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
  for (;;) {
    const begun = writes
    const operations = await outboxDatabase(userId).readAll()
    if (queue.get().userId !== userId) return
    // Something of ours was written meanwhile: what was read is old.
    if (begun !== writes) continue
    stored = operations
    return publish()
  }
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
  let seq: number
  try {
    seq = await outboxDatabase(operation.userId).add(row)
  } catch (error) {
    unwritten = unwritten.filter((candidate) => candidate.id !== operation.id)
    publish()
    throw error
  }
  await changed(operation.userId, (present) => [...present, { ...row, seq }].sort((a, b) => a.seq - b.seq))
}

/** Removes operations and writes others anew in one transaction: an answer and what it means for those behind it are never apart. */
export async function updateQueue(
  userId: string,
  removeIds: readonly string[],
  put: readonly Operation[],
): Promise<void> {
  const written = await outboxDatabase(userId).update(removeIds, put)
  const kept = new Map(written.map((operation) => [operation.seq, operation]))
  const removed = new Set(removeIds)
  await changed(userId, (present) =>
    present.filter(({ id }) => !removed.has(id)).map((operation) => kept.get(operation.seq) ?? operation),
  )
}

/** The queue as it is on the disk now, other tabs' work included. */
export async function readOperations(userId: string): Promise<readonly Operation[]> {
  const database = outboxDatabase(userId)
  // The numbers alone are read quickly: where they are those in memory, nobody has added or removed anything.
  if (isHere(userId)) {
    const numbers = await database.readPlaces()
    if (numbers.length === stored.length && numbers.every((seq, index) => stored[index]?.seq === seq)) return stored
  }
  return database.readAll()
}

/** What was written is known here at once, without reading hundreds again for each; the other tabs are told. */
async function changed(userId: string, change: (present: readonly Operation[]) => readonly Operation[]): Promise<void> {
  writes += 1
  postToTabs({ type: 'operations', userId })
  if (!isHere(userId)) return readQueue(userId)
  stored = change(stored)
  publish()
}

function isHere(userId: string): boolean {
  return queue.get().userId === userId && queue.get().ready
}

let isFollowing = false
let hasMore = false

/** Reads what another tab wrote; of hundreds of messages in a row only the last one matters. */
async function follow(userId: string): Promise<void> {
  hasMore = true
  if (isFollowing) return
  isFollowing = true
  try {
    while (hasMore) {
      hasMore = false
      await readQueue(userId)
    }
  } finally {
    isFollowing = false
  }
}

onTabMessage((message) => {
  if (message.type === 'operations' && message.userId === queue.get().userId) void follow(message.userId)
})
