import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useSyncExternalStore } from 'react'
import { formatTime } from '#web/lib/dates.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { readableConflict } from './conflict-words.ts'
import { isCorrectable } from './begin-correction.ts'
import { fieldWords } from './field-words.ts'
import { memberName } from './member-name.ts'
import { dependentsOf, blockerOf } from './next.ts'
import type { FieldConflict, Operation, OperationIcon } from '#web/data/store/operation.ts'
import { queue } from '#web/data/store/queue.ts'
import { nounOf, recordName } from './record-words.ts'
import { failureMessage, failureTitle } from './refusal-words.ts'

/** A field that two people changed, with readable values. */
export interface LineConflict extends FieldConflict {
  /** The words for the field: 'expected close date'. */
  name: string
}

/** An operation of the queue as the screen shows it. `title`: 'Move “Data migration” to Proposal'. */
export interface QueueLine {
  id: string
  icon: OperationIcon
  title: string
  /** 'deal', 'contact', 'record'. */
  noun: string
  /** True if the operation creates a record whose form `beginCorrection` can open with its values. */
  canCorrect: boolean
  /** The record's name. Null for several records, or if this device does not have it. */
  record: string | null
  /** When the edit was made, ISO. */
  at: string
  /** True if the edit was made offline. */
  madeOffline: boolean
  /**
   * waiting: will be sent. failed: Edit (if `canCorrect`), Retry, Discard. conflict: `resolveConflict`. deleted: Restore, Discard. newer:
   * Discard.
   */
  state: Operation['state']
  /**
   * The refusal ('Error creating deal: …'), the person who deleted the record, or what the operation waits for ('waits for the contact').
   */
  reason: string | null
  /** Number of later operations that are discarded with this one. */
  dependents: number
  /** The conflicting fields, in the state 'conflict'. */
  conflicts: readonly LineConflict[]
  /** Names of the fields of the edit that nobody else changed. They are saved with either decision. */
  merged: readonly string[]
  /** When the other person wrote their value, ISO. */
  theirsAt: string | null
  /** The name of the other person. Null if this device does not have it. */
  theirsBy: string | null
}

export interface QueueLines {
  ready: boolean
  attention: readonly QueueLine[]
  waiting: readonly QueueLine[]
}

/** Returns the queue of the signed-in user on this device, for all tabs and brands. */
export function useQueue(): QueueLines {
  const device = useDevice()
  return useSyncExternalStore(
    queue(device).subscribe,
    () => readLines(device),
    () => readLines(device),
  )
}

const noLines: QueueLines = { ready: false, attention: [], waiting: [] }

/** The last lines, with the operations and the brand from which they were computed. */
const lastLines = devicePart(
  (): { operations: readonly Operation[] | null; brandId: string | null; lines: QueueLines } => ({
    operations: null,
    brandId: null,
    lines: noLines,
  }),
)

function readLines(device: Device): QueueLines {
  const { ready, operations } = queue(device).get()
  const open = openBrand(device).get()
  // Names of records are known after the brand has been read.
  const brandId = open?.loaded.get() ? open.brandId : null
  const last = lastLines(device)
  if (last.operations === operations && last.lines.ready === ready && last.brandId === brandId) return last.lines
  const all = operations.map((operation) => queueLine(device, operation, operations))
  const waiting = all.filter((line) => line.state === 'waiting')
  const lines = { ready, attention: all.filter((line) => line.state !== 'waiting'), waiting }
  Object.assign(last, { operations, brandId, lines })
  return lines
}

/** Returns the line of an operation. `all` are the operations of the queue. */
export function queueLine(device: Device, operation: Operation, all: readonly Operation[]): QueueLine {
  const { id, icon, title, at, state, table, rowId, rowIds = [rowId], theirsAt } = operation
  const data = openBrand(device).get()
  const row = rowIds.length === 1 && data?.brandId === operation.brandId ? data.tables[table].get(rowId) : undefined
  const conflictFields = new Set(operation.conflicts.map(({ field }) => field))
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
      name: fieldWords(conflict.field, data),
    })),
    merged:
      state === 'conflict'
        ? Object.keys(operation.values)
            .filter((field) => !conflictFields.has(field))
            .map((field) => fieldWords(field, data))
        : [],
    theirsAt,
    theirsBy: memberName(device, operation.theirsBy),
  }
}

function reasonOf(device: Device, operation: Operation, all: readonly Operation[]): string | null {
  switch (operation.state) {
    case 'waiting': {
      const blocker = blockerOf(all, operation)
      return blocker ? `waits for ${blockerWords(blocker, operation)}` : null
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

/** Returns 'the contact' if another record is needed first, and 'your answer' for an edit of the same record. */
function blockerWords(blocker: Operation, operation: Operation): string {
  const isAsked = blocker.state !== 'failed' && blocker.state !== 'newer'
  return blocker.table === operation.table && isAsked ? 'your answer' : `the ${nounOf(blocker.table).one}`
}

function deletedReason(device: Device, { table, rowIds, theirsBy, theirsAt, reason }: Operation): string {
  if (!theirsAt) return reason ?? 'This record was deleted meanwhile.'
  const who = memberName(device, theirsBy) ?? 'A colleague'
  const what = rowIds && rowIds.length > 1 ? `${rowIds.length} of these ${table}` : `this ${nounOf(table).one}`
  return `${who} deleted ${what} at ${formatTime(theirsAt)}.`
}
