import { useSyncExternalStore } from 'react'
import { client } from './client.ts'
import { readableConflict } from './conflict-words.ts'
import { startEngine } from './engine.ts'
import { liveValue, useLive } from './live-value.ts'
import { reachable } from './network.ts'
import { giveUp } from './outbox/mutate.ts'
import { heldBackBy } from './outbox/next.ts'
import { hearNotices, type Notice } from './outbox/notices.ts'
import type { FieldConflict, Operation, OperationIcon } from './outbox/operation.ts'
import { openQueue, queue, readOperations, updateQueue } from './outbox/queue.ts'
import { sendWaiting } from './outbox/sender.ts'
import { openBrand } from './brand-data.ts'
import { readSession, sessionState } from './session.ts'

/**
 * For the badge. saved 'All changes saved'; sending 'Sending n' (only after half a second); offline 'Offline', `count` waiting (may
 * be 0); attention 'Needs attention'; sign-in: the session expired, 'Sign in to send your changes'. Null until known: show nothing.
 */
export interface SyncStatus {
  state: 'saved' | 'sending' | 'offline' | 'attention' | 'sign-in'
  count: number
}

/** A line of the queue. `title` is ready to show: 'Move “Data migration” to Proposal'. */
export interface QueueLine {
  id: string
  icon: OperationIcon
  title: string
  /** When the edit was made, ISO. */
  at: string
  /** waiting: will be sent. failed: Retry, Discard. conflict: `resolveConflict`. deleted: Restore, Discard. */
  state: Operation['state']
  /** The server's sentence, or why it waits ('waits for the contact'). */
  reason: string | null
  /** Filled in state conflict, values as they are shown; `theirsAt` ISO. */
  conflicts: readonly FieldConflict[]
  theirsAt: string | null
  /** The name of who wrote theirs, where it is known here. */
  theirsBy: string | null
}

export type { FieldConflict }

/** A quick save says nothing of sending. */
const quietFor = 500

/** What the badge says; null until the queue has been read. */
export function useSyncStatus(): SyncStatus | null {
  startEngine()
  return useLive(status)
}

/** The queue of the signed-in user on this device, in all tabs and brands. */
export function useQueue(): { ready: boolean; attention: readonly QueueLine[]; waiting: readonly QueueLine[] } {
  startEngine()
  return useSyncExternalStore(queue.subscribe, readLines, readLines)
}

/** Sends a failed operation again. */
export async function retryOperation(id: string): Promise<void> {
  await changeOperation(id, (operation) => ({ ...operation, state: 'waiting', reason: null, code: null }))
  await sendWaiting()
}

/** Gives an operation up; its preview goes. What depends on it goes too. */
export async function discardOperation(id: string): Promise<void> {
  const operation = queue.get().operations.find((candidate) => candidate.id === id)
  if (operation) await giveUp(operation.userId, id)
}

/** State deleted: puts the record back on the server and then the edit onto it. Rejects with the server's message. */
export async function restoreDeleted(id: string): Promise<void> {
  const operation = queue.get().operations.find((candidate) => candidate.id === id)
  if (!operation) return
  const args = { p_brand_id: operation.brandId, p_table: operation.table, p_ids: [operation.rowId] }
  const { error } = await client().rpc('restore_records', args)
  if (error) throw new Error(error.message)
  // The version of the restored row is the server's to tell: 0 makes the sender ask for it first.
  await changeOperation(id, (present) => ({ ...present, state: 'waiting', reason: null, version: 0 }))
  await sendWaiting()
}

/** State conflict: 'mine' sends mine over theirs, 'theirs' gives mine up. */
export async function resolveConflict(id: string, keep: 'mine' | 'theirs'): Promise<void> {
  if (keep === 'theirs') return discardOperation(id)
  await changeOperation(id, (operation) => {
    const theirs = Object.fromEntries(operation.conflicts.map(({ field, theirs: value }) => [field, value]))
    return { ...operation, state: 'waiting', base: { ...operation.base, ...theirs }, conflicts: [], reason: null }
  })
  await sendWaiting()
}

/** Operations of this user that the server does not have, failed ones included. */
export async function countUnsent(): Promise<number> {
  const session = await readSession()
  return session ? (await readOperations(session.userId)).length : 0
}

/** Tries to send all that waits, for at most 10 s; true when nothing is left. */
export async function sendUnsent(): Promise<boolean> {
  const session = await readSession()
  if (!session) return true
  await openQueue(session.userId)
  await Promise.race([sendWaiting(), new Promise((resolve) => setTimeout(resolve, 10_000))])
  return (await countUnsent()) === 0
}

/** Somebody changed the same thing after me and theirs stands ('{name} moved {deal} after you'): say `text` in a toast. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  return hearNotices(listener)
}

/** False on plain http with a LAN address: say in one line that offline needs https or localhost. */
export const worksOffline: boolean = globalThis.isSecureContext ?? true

async function changeOperation(id: string, change: (operation: Operation) => Operation): Promise<void> {
  const operation = queue.get().operations.find((candidate) => candidate.id === id)
  if (operation) await updateQueue(operation.userId, [], [change(operation)])
}

let linesOf: readonly Operation[] | null = null
/** Names of linked records are known once the brand is read. */
let linesKnow = false
let lines: ReturnType<typeof useQueue> = { ready: false, attention: [], waiting: [] }

function readLines(): ReturnType<typeof useQueue> {
  const { ready, operations } = queue.get()
  const knows = openBrand.get()?.loaded.get() ?? false
  if (linesOf === operations && lines.ready === ready && linesKnow === knows) return lines
  linesOf = operations
  linesKnow = knows
  const all = operations.map((operation) => lineOf(operation, operations))
  const waiting = all.filter((line) => line.state === 'waiting')
  lines = { ready, attention: all.filter((line) => line.state !== 'waiting'), waiting }
  return lines
}

function lineOf(operation: Operation, all: readonly Operation[]): QueueLine {
  const { id, icon, title, at, state, conflicts, theirsAt } = operation
  const held = state === 'waiting' ? heldBackBy(all, operation) : undefined
  const reason = held ? `waits for the ${nounOf[held.table] ?? 'record'}` : operation.reason
  const member = operation.theirsBy ? openBrand.get()?.tables.memberships.get(operation.theirsBy) : undefined
  const readable = conflicts.map((conflict) => readableConflict(operation, conflict))
  return { id, icon, title, at, state, reason, conflicts: readable, theirsAt, theirsBy: member?.display_name ?? null }
}

const nounOf: Partial<Record<Operation['table'], string>> = {
  contacts: 'contact',
  companies: 'company',
  deals: 'deal',
  tasks: 'task',
}

const status = liveValue<SyncStatus | null>(null)
let sendingSince: number | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Works the badge's state out anew; 'sending' only once something has waited for half a second. */
function judge(): void {
  clearTimeout(timer)
  const { ready, operations } = queue.get()
  if (!ready) {
    status.set(null)
    return
  }
  const waiting = operations.filter((operation) => operation.state === 'waiting').length
  const attention = operations.length - waiting
  sendingSince = waiting > 0 ? (sendingSince ?? Date.now()) : null
  const expired = sessionState.get().session?.expired === true
  if (attention > 0) say('attention', attention)
  else if (expired) say('sign-in', waiting)
  else if (!reachable.get()) say('offline', waiting)
  else if (sendingSince === null) say('saved', 0)
  else if (Date.now() - sendingSince >= quietFor) say('sending', waiting)
  else {
    if (status.get()?.state !== 'sending') say('saved', 0)
    timer = setTimeout(judge, quietFor - (Date.now() - sendingSince) + 1)
  }
}

function say(state: SyncStatus['state'], count: number): void {
  const present = status.get()
  if (present?.state !== state || present.count !== count) status.set({ state, count })
}

queue.subscribe(judge)
reachable.subscribe(judge)
sessionState.subscribe(judge)
