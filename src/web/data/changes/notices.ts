import { type Device } from '#web/data/browser/device.ts'
import { emitter } from '#web/lib/emitter.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { memberName } from './member-name.ts'
import { serverNow } from '#web/data/server/network.ts'
import { recordName } from './record-words.ts'
import { failureMessage, failureTitle } from './refusal-words.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { isAwaited, answerTimeoutMs } from './outcomes.ts'
import type { Sent } from './send.ts'

/** What a person should be told though nobody asked. */
export interface Notice {
  /**
   * overtaken: a colleague changed the same after us, theirs stands. removed: a delete of ours took a colleague's change with it.
   * attention: a change of ours has come to 'Needs attention'.
   */
  kind: 'overtaken' | 'removed' | 'attention'
  text: string
  /** A second sentence: the server's message, what there is to decide. */
  detail: string | null
  table: TableName
  /** One at least. */
  rowIds: readonly string[]
  /** The colleague's name, where it is known here. */
  by: string | null
}

const notices = devicePart(() => emitter<Notice>())

/** Hears what a person should be told though nobody asked. Returns the function that stops it. */
export function hearNotices(device: Device, listener: (notice: Notice) => void): () => void {
  return notices(device).subscribe(listener)
}

/** Says what an answer means for others' changes and for ours. Call it before the outcome is announced. */
export function noticesOf(device: Device, operation: Operation, sent: Sent): readonly Notice[] {
  switch (sent.kind) {
    case 'settled':
      return sent.overtakenBy ? [overtaken(device, operation, [sent.overtakenBy])] : []
    case 'changed': {
      const first = sent.overtakenBy.length > 0 ? [overtaken(device, operation, sent.overtakenBy)] : []
      const isWhole = sent.rows.length === (operation.rowIds?.length ?? 1)
      return isWhole || isHeard(device, operation)
        ? first
        : [...first, attention(operation, 'Needs attention', wentMissing(operation))]
    }
    case 'removed':
      return sent.changedBefore.length > 0 ? [removed(device, operation, sent.changedBefore)] : []
    case 'conflict':
      return [attention(operation, 'Needs attention', bothChanged(device, sent.row))]
    case 'deleted':
      return isHeard(device, operation) ? [] : [attention(operation, 'Needs attention', wentMissing(operation))]
    case 'refused':
      return isHeard(device, operation)
        ? []
        : [attention(operation, failureTitle(operation), failureMessage(operation, sent.message, sent.code))]
    default:
      return []
  }
}

/** Tells who listens. */
export function tellNotices(device: Device, all: readonly Notice[]): void {
  for (const notice of all) notices(device).emit(notice)
}

/** Whether the screen that made it still waits for the answer, here or in another tab, and will say what came of it. */
function isHeard(device: Device, operation: Operation): boolean {
  if (isAwaited(device, operation.id)) return true
  return operation.awaited === true && Date.parse(serverNow(device)) - Date.parse(operation.at) < answerTimeoutMs
}

function overtaken(device: Device, operation: Operation, rows: readonly AnyRow[]): Notice {
  const verb = operation.icon === 'move' ? 'moved' : 'changed'
  return colleagues(device, 'overtaken', operation, rows, (who, what) => `${who} ${verb} ${what} after you`)
}

function removed(device: Device, operation: Operation, rows: readonly AnyRow[]): Notice {
  const it = rows.length === 1 ? 'it' : 'them'
  return colleagues(
    device,
    'removed',
    operation,
    rows,
    (who, what) => `${who} changed ${what} before you deleted ${it}`,
  )
}

function colleagues(
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

function attention(operation: Operation, text: string, detail: string): Notice {
  const { table, rowId, rowIds = [rowId] } = operation
  return { kind: 'attention', text, detail, table, rowIds, by: null }
}

function bothChanged(device: Device, row: AnyRow): string {
  return `${memberName(device, row.updated_by) ?? 'A colleague'} changed ${recordName(row) ?? 'it'} too. Which is right?`
}

function wentMissing(operation: Operation): string {
  return `${operation.title}: it was deleted meanwhile.`
}
