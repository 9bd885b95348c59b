import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { useSyncExternalStore } from 'react'
import { formatTime } from '#web/lib/dates.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { readableConflict } from './conflict-words.ts'
import { isCorrectable } from './begin-correction.ts'
import { fieldWords } from './field-words.ts'
import { memberName } from './member-name.ts'
import { dependentsOf, heldBackBy } from './next.ts'
import type { FieldConflict, Operation, OperationIcon } from '#web/data/store/operation.ts'
import { queue } from '#web/data/store/queue.ts'
import { nounOf, recordName } from './record-words.ts'
import { failureMessage, failureTitle } from './refusal-words.ts'

/** A field that two people changed, in words. */
export interface LineConflict extends FieldConflict {
  /** 'expected close date'. */
  name: string
}

/** A line of the queue. `title` is ready to show: 'Move “Data migration” to Proposal'. */
export interface QueueLine {
  id: string
  icon: OperationIcon
  title: string
  /** 'deal', 'contact', 'record'. */
  noun: string
  /** It was to make a record: `beginCorrection` opens its form with what was typed. */
  canCorrect: boolean
  /** The record's name, where it is on this device and only one. */
  record: string | null
  /** When the edit was made, ISO. */
  at: string
  /** Made without a connection. */
  madeOffline: boolean
  /**
   * waiting: will be sent. failed: Edit where `canCorrect`, Retry, Discard. conflict: `resolveConflict`. deleted: Restore, Discard. newer:
   * Discard.
   */
  state: Operation['state']
  /** Why it was refused ('Error creating deal: …'), who deleted the record, or what it waits for ('waits for the contact'). */
  reason: string | null
  /** So many later changes cannot go on without it: they are discarded with it. */
  dependents: number
  /** Filled in state conflict, values as they are shown; `theirsAt` ISO. */
  conflicts: readonly LineConflict[]
  /** Fields of the same edit that nobody else changed, by name: saved whatever the answer is. */
  merged: readonly string[]
  theirsAt: string | null
  /** The name of who wrote theirs, where it is known here. */
  theirsBy: string | null
}

export interface QueueLines {
  ready: boolean
  attention: readonly QueueLine[]
  waiting: readonly QueueLine[]
}

/** The queue of the signed-in user on this device, in all tabs and brands. */
export function useQueue(): QueueLines {
  const device = useDevice()
  return useSyncExternalStore(
    queue(device).subscribe,
    () => readLines(device),
    () => readLines(device),
  )
}

const noLines: QueueLines = { ready: false, attention: [], waiting: [] }

/** The lines that were made last, and of what. */
const made = devicePart((): { of: readonly Operation[] | null; brandId: string | null; lines: QueueLines } => ({
  of: null,
  brandId: null,
  lines: noLines,
}))

function readLines(device: Device): QueueLines {
  const { ready, operations } = queue(device).get()
  const open = openBrand(device).get()
  // Once a brand has been read, names of its records are known.
  const brandId = open?.loaded.get() ? open.brandId : null
  const last = made(device)
  if (last.of === operations && last.lines.ready === ready && last.brandId === brandId) return last.lines
  const all = operations.map((operation) => queueLine(device, operation, operations))
  const waiting = all.filter((line) => line.state === 'waiting')
  const lines = { ready, attention: all.filter((line) => line.state !== 'waiting'), waiting }
  Object.assign(last, { of: operations, brandId, lines })
  return lines
}

/** An operation among all of the queue, in words. */
export function queueLine(device: Device, operation: Operation, all: readonly Operation[]): QueueLine {
  const { id, icon, title, at, state, table, rowId, rowIds = [rowId], theirsAt } = operation
  const data = openBrand(device).get()
  const row = rowIds.length === 1 && data?.brandId === operation.brandId ? data.tables[table].get(rowId) : undefined
  const inQuestion = new Set(operation.conflicts.map(({ field }) => field))
  return {
    id,
    icon,
    title,
    noun: nounOf(table).one,
    canCorrect: isCorrectable(device, operation),
    record: row ? recordName(row) : null,
    at,
    madeOffline: operation.awaited === false,
    state,
    reason: reasonOf(device, operation, all),
    dependents: state === 'waiting' ? 0 : dependentsOf(all, operation).length,
    conflicts: operation.conflicts.map((conflict) => ({
      ...readableConflict(device, operation, conflict),
      name: fieldWords(conflict.field),
    })),
    merged:
      state === 'conflict'
        ? Object.keys(operation.values)
            .filter((field) => !inQuestion.has(field))
            .map(fieldWords)
        : [],
    theirsAt,
    theirsBy: memberName(device, operation.theirsBy),
  }
}

function reasonOf(device: Device, operation: Operation, all: readonly Operation[]): string | null {
  switch (operation.state) {
    case 'waiting': {
      const held = heldBackBy(all, operation)
      return held ? `waits for ${whatOf(held, operation)}` : null
    }
    case 'failed':
      return `${failureTitle(operation)}: ${failureMessage(operation, operation.reason ?? '', operation.code)}`
    case 'deleted':
      return deletedReason(device, operation)
    case 'newer':
      return 'This page is out of date. Reload it, then try again.'
    case 'conflict':
      return operation.reason
  }
}

/** 'the contact' for one that another record needs, 'your answer' for an edit of the same record. */
function whatOf(held: Operation, operation: Operation): string {
  const isAsked = held.state !== 'failed' && held.state !== 'newer'
  return held.table === operation.table && isAsked ? 'your answer' : `the ${nounOf(held.table).one}`
}

function deletedReason(device: Device, { table, rowIds, theirsBy, theirsAt, reason }: Operation): string {
  if (!theirsAt) return reason ?? 'This record was deleted meanwhile.'
  const who = memberName(device, theirsBy) ?? 'A colleague'
  const what = rowIds && rowIds.length > 1 ? `${rowIds.length} of these ${table}` : `this ${nounOf(table).one}`
  return `${who} deleted ${what} at ${formatTime(theirsAt)}.`
}
