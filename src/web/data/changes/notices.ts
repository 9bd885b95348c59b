import { type Device, devicePart } from '#web/data/browser/device.ts'
import { emitter } from '#web/lib/emitter.ts'
import { memberName } from './member-name.ts'
import { serverNow } from '#web/data/server/network.ts'
import { recordName } from './record-words.ts'
import { failureMessage, failureTitle } from './refusal-words.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { isAwaited, answerTimeoutMs } from './outcomes.ts'
import type { Sent } from './send.ts'

/** Something that a toast shows without an action of the person. */
export interface Notice {
  /**
   * overtaken: a colleague changed the same field after this user, and the colleague's value stays. removed: this user deleted a record that
   * a colleague had just changed. joined: what this user added is a record that was there already. attention: an operation of this user
   * needs attention.
   */
  kind: 'overtaken' | 'removed' | 'joined' | 'attention'
  text: string
  /** A second sentence: the server's message, or the decision to make. */
  detail: string | null
  table: TableName
  /** At least one. */
  rowIds: readonly string[]
  /** The colleague's name, where this device has it. */
  by: string | null
}

const notices = devicePart(() => emitter<Notice>())

/** Calls the listener with each notice. Returns the function that stops it. */
export function subscribeToNotices(device: Device, listener: (notice: Notice) => void): () => void {
  return notices(device).subscribe(listener)
}

/** The notices about the result of an operation. Call it before the outcome is announced. */
export function noticesOf(device: Device, operation: Operation, sent: Sent): readonly Notice[] {
  switch (sent.kind) {
    case 'settled':
      if (sent.overtakenBy) return [overtaken(device, operation, [sent.overtakenBy])]
      return isMergedIntoExisting(operation, sent.rowId) && sent.row ? [joined(operation, sent.row)] : []
    case 'changed': {
      const overtakenNotices = sent.overtakenBy.length > 0 ? [overtaken(device, operation, sent.overtakenBy)] : []
      const isComplete = sent.rows.length === (operation.rowIds?.length ?? 1)
      return isComplete || isScreenWaiting(device, operation)
        ? overtakenNotices
        : [...overtakenNotices, attention(operation, 'Needs attention', deletedMeanwhile(operation))]
    }
    case 'removed':
      return sent.changedBefore.length > 0 ? [removed(device, operation, sent.changedBefore)] : []
    case 'conflict':
      return [attention(operation, 'Needs attention', bothChanged(device, sent.row))]
    case 'deleted':
      return isScreenWaiting(device, operation)
        ? []
        : [attention(operation, 'Needs attention', deletedMeanwhile(operation))]
    case 'refused':
      return isScreenWaiting(device, operation)
        ? []
        : [attention(operation, failureTitle(operation), failureMessage(operation, sent.message, sent.code))]
    default:
      return []
  }
}

/** Passes notices to the listeners. */
export function emitNotices(device: Device, all: readonly Notice[]): void {
  for (const notice of all) notices(device).emit(notice)
}

/** Whether the screen that made the operation, here or in another tab, still waits for the outcome and will show it. */
function isScreenWaiting(device: Device, operation: Operation): boolean {
  if (isAwaited(device, operation.id)) return true
  return operation.awaited === true && Date.parse(serverNow(device)) - Date.parse(operation.at) < answerTimeoutMs
}

function overtaken(device: Device, operation: Operation, rows: readonly AnyRow[]): Notice {
  const verb = operation.icon === 'move' ? 'moved' : 'changed'
  const after = operation.givesWay ? 'meanwhile. That stays' : 'after you'
  return colleagueNotice(device, 'overtaken', operation, rows, (who, what) => `${who} ${verb} ${what} ${after}`)
}

function removed(device: Device, operation: Operation, rows: readonly AnyRow[]): Notice {
  const it = rows.length === 1 ? 'it' : 'them'
  return colleagueNotice(
    device,
    'removed',
    operation,
    rows,
    (who, what) => `${who} changed ${what} before you deleted ${it}`,
  )
}

function colleagueNotice(
  device: Device,
  kind: Notice['kind'],
  { table }: Operation,
  rows: readonly AnyRow[],
  words: (who: string, what: string) => string,
): Notice {
  const [row] = rows
  const by =
    row && rows.every((other) => other.updated_by === row.updated_by) ? memberName(device, row.updated_by) : null
  const what = row && rows.length === 1 ? (recordName(row) ?? 'a record') : `${rows.length} ${table}`
  const who = by ?? (rows.length === 1 ? 'A colleague' : 'Colleagues')
  return { kind, text: words(who, what), detail: null, table, rowIds: rows.map(({ id }) => id), by }
}

/** Whether a company that was added is one of its name that a colleague had made meanwhile. */
function isMergedIntoExisting({ kind, table, rowId }: Operation, serverId: string): boolean {
  return kind === 'call' && table === 'companies' && serverId !== rowId
}

function joined({ table }: Operation, row: AnyRow): Notice {
  const text = `${recordName(row) ?? 'The company'} was there already: joined`
  const detail = 'What you added is the same company now.'
  return { kind: 'joined', text, detail, table, rowIds: [row.id], by: null }
}

function attention(operation: Operation, text: string, detail: string): Notice {
  const { table, rowId, rowIds = [rowId] } = operation
  return { kind: 'attention', text, detail, table, rowIds, by: null }
}

function bothChanged(device: Device, row: AnyRow): string {
  return `${memberName(device, row.updated_by) ?? 'A colleague'} changed ${recordName(row) ?? 'it'} too. Which is right?`
}

function deletedMeanwhile(operation: Operation): string {
  return `${operation.title}: it was deleted meanwhile.`
}
