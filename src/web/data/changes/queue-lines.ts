import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useSyncExternalStore } from 'react'
import { formatTime } from '#web/lib/dates.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { readableConflict } from './conflict-words.ts'
import { isCorrectable } from './begin-correction.ts'
import { fieldWords } from './field-words.ts'
import { memberName } from './member-name.ts'
import { dependentsOf, blockerOf } from './send-order.ts'
import type { FieldConflict, Operation, OperationIcon } from '#web/data/store/operation.ts'
import { queue } from '#web/data/store/queue.ts'
import { rowWordsOf, nameOfRecord } from './record-words.ts'
import { refusalMessage, refusalTitle } from './refusal-words.ts'

/** A field that two people changed, with its values as people read them. */
export interface LineConflict extends FieldConflict {
  /** The words by which people know the field: 'expected close date'. */
  name: string
}

/** An operation of the queue, as the screen shows it in a line. Example of a `title`: 'Move “Data migration” to Proposal'. */
export interface QueueLine {
  id: string
  brandId: string
  icon: OperationIcon
  title: string
  /** The word for the record: 'deal', 'contact', 'record'. */
  word: string
  /** True if the operation creates a record, and `beginCorrection` can open the record's form with its values. */
  canCorrect: boolean
  /** The record's name. Null if the operation has several records or is of another brand, or if this device does not have the name. */
  name: string | null
  /** The time of the edit (ISO). */
  at: string
  /** True if the user made the edit offline, or after the session had ended. */
  wasOffline: boolean
  /**
   * The state of the operation, and what the user can do. waiting: it will be sent. failed: Edit (if `canCorrect`), Retry, Discard.
   * conflict: the user chooses values (`resolveConflict`). deleted: Restore, Discard. newer: Discard.
   */
  state: Operation['state']
  /**
   * Why the operation has this state: the server's refusal ('Error creating deal: …'), who deleted the record, that the page is out of
   * date, or what the operation waits for ('waits for the contact'). Null if there is nothing to add to the state.
   */
  reason: string | null
  /** The number of later operations that depend on this one and are discarded with it. 0 if this one is waiting. */
  dependentCount: number
  /** The fields in conflict. Empty unless the state is 'conflict'. */
  conflicts: readonly LineConflict[]
  /** The names of the edited fields that nobody else changed. The user's decision does not affect them. Empty unless the state is 'conflict'. */
  otherFields: readonly string[]
  /** In the states 'conflict' and 'deleted': when the other person changed or deleted the row (ISO). Null if not known. */
  theirsAt: string | null
  /** The name of the other person, or `otherDevice`. Null if there is none, if not known, or if this device does not have the name. */
  theirsBy: string | null
}

/** `theirsBy` of a change that the user has made on another device. */
export const otherDevice = 'Your other device'

/** The lines of the queue, in two groups. */
export interface QueueLines {
  /** Whether the outbox has been read. Before that, both lists are empty. */
  isReady: boolean
  /** The operations about which the user has to decide: those in any state except 'waiting'. */
  attention: readonly QueueLine[]
  /** The operations that will be sent without a decision. */
  waiting: readonly QueueLine[]
}

/** Returns the queue of the signed-in user on this device: the operations of all tabs and brands. */
export function useQueue(): QueueLines {
  const device = useDevice()
  return useSyncExternalStore(
    queue(device).subscribe,
    () => readLines(device),
    () => readLines(device),
  )
}

const noLines: QueueLines = { isReady: false, attention: [], waiting: [] }

/** The lines that were computed last, with the operations and the brand from which they were computed. */
const lastLines = devicePart(
  (): { operations: readonly Operation[] | null; brandId: string | null; lines: QueueLines } => ({
    operations: null,
    brandId: null,
    lines: noLines,
  }),
)

function readLines(device: Device): QueueLines {
  const { isReady, operations } = queue(device).get()
  const open = openBrand(device).get()
  // The names of records are known only after the brand has been read.
  const brandId = open?.loaded.get() ? open.brandId : null
  const last = lastLines(device)
  if (last.operations === operations && last.lines.isReady === isReady && last.brandId === brandId) return last.lines
  const all = operations.map((operation) => queueLine(device, operation, operations))
  const waiting = all.filter((line) => line.state === 'waiting')
  const lines = { isReady, attention: all.filter((line) => line.state !== 'waiting'), waiting }
  Object.assign(last, { operations, brandId, lines })
  return lines
}

/** Makes the line that shows an operation. `all` are all operations of the queue. */
export function queueLine(device: Device, operation: Operation, all: readonly Operation[]): QueueLine {
  const { id, brandId, icon, title, at, state, table, rowId, rowIds = [rowId], theirsAt } = operation
  const data = openBrand(device).get()
  const row = rowIds.length === 1 && data?.brandId === brandId ? data.tables[table].get(rowId) : undefined
  const conflictFields = new Set(operation.conflicts.map(({ field }) => field))
  return {
    id,
    brandId,
    icon,
    title,
    word: rowWordsOf(table).one,
    canCorrect: isCorrectable(device, operation),
    name: row ? nameOfRecord(row) : null,
    at,
    wasOffline: operation.awaited === false,
    state,
    reason: reasonOf(device, operation, all),
    dependentCount: state === 'waiting' ? 0 : dependentsOf(all, operation).length,
    // The words of an amount contain its currency, so the currency is not listed as a field of its own.
    conflicts: operation.conflicts
      .filter(({ field }) => field !== 'amount_currency' || !conflictFields.has('amount'))
      .map((conflict) => ({
        ...readableConflict(device, operation, conflict),
        name: fieldWords(conflict.field, data),
      })),
    otherFields:
      state === 'conflict'
        ? Object.keys(operation.values)
            .filter((field) => field !== 'amount_currency' && !conflictFields.has(field))
            .map((field) => fieldWords(field, data))
        : [],
    theirsAt,
    theirsBy: operation.theirsBy === operation.userId ? otherDevice : memberName(device, operation.theirsBy),
  }
}

function reasonOf(device: Device, operation: Operation, all: readonly Operation[]): string | null {
  switch (operation.state) {
    case 'waiting': {
      const blocker = blockerOf(all, operation)
      return blocker ? `waits for ${blockerWords(blocker, operation)}` : null
    }
    case 'failed':
      return `${refusalTitle(operation)}: ${refusalMessage(operation, operation.reason ?? '', operation.code)}`
    case 'deleted':
      return deletedReason(device, operation)
    case 'newer':
      return 'This page is out of date. Reload it, then try again.'
    case 'conflict':
      return operation.reason
  }
}

/**
 * Returns the words for what an operation waits for: the word for the blocker's record ('the contact') if that record is in another table, or if the
 * blocker was refused or was written by a newer version of the app. Otherwise 'your answer'.
 */
function blockerWords(blocker: Operation, operation: Operation): string {
  const isAsked = blocker.state !== 'failed' && blocker.state !== 'newer'
  return blocker.table === operation.table && isAsked ? 'your answer' : `the ${rowWordsOf(blocker.table).one}`
}

function deletedReason(device: Device, { table, rowIds, theirsBy, theirsAt, reason }: Operation): string {
  if (!theirsAt) return reason ?? 'This record was deleted meanwhile.'
  const who = memberName(device, theirsBy) ?? 'A colleague'
  const what = rowIds && rowIds.length > 1 ? `${rowIds.length} of these ${table}` : `this ${rowWordsOf(table).one}`
  return `${who} deleted ${what} at ${formatTime(theirsAt)}.`
}
