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

const listeners = new Set<(notice: Notice) => void>()

/** Hears what a person should be told though nobody asked. Returns the function that stops it. */
export function hearNotices(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says what an answer means for others' changes and for ours. Call it before the outcome is announced. */
export function noticesOf(operation: Operation, sent: Sent): readonly Notice[] {
  switch (sent.kind) {
    case 'settled':
      return sent.overtakenBy ? [overtaken(operation, [sent.overtakenBy])] : []
    case 'changed': {
      const first = sent.overtakenBy.length > 0 ? [overtaken(operation, sent.overtakenBy)] : []
      const isWhole = sent.rows.length === (operation.rowIds?.length ?? 1)
      return isWhole || isHeard(operation)
        ? first
        : [...first, attention(operation, 'Needs attention', wentMissing(operation))]
    }
    case 'removed':
      return sent.changedBefore.length > 0 ? [removed(operation, sent.changedBefore)] : []
    case 'conflict':
      return [attention(operation, 'Needs attention', bothChanged(sent.row))]
    case 'deleted':
      return isHeard(operation) ? [] : [attention(operation, 'Needs attention', wentMissing(operation))]
    case 'refused':
      return isHeard(operation)
        ? []
        : [attention(operation, failureTitle(operation), failureMessage(operation, sent.message, sent.code))]
    default:
      return []
  }
}

/** Tells who listens. */
export function tellNotices(notices: readonly Notice[]): void {
  for (const notice of notices) for (const listener of Array.from(listeners)) listener(notice)
}

/** Whether the screen that made it still waits for the answer, here or in another tab, and will say what came of it. */
function isHeard(operation: Operation): boolean {
  if (isAwaited(operation.id)) return true
  return operation.awaited === true && Date.parse(serverNow()) - Date.parse(operation.at) < answerTimeoutMs
}

function overtaken(operation: Operation, rows: readonly AnyRow[]): Notice {
  const verb = operation.icon === 'move' ? 'moved' : 'changed'
  return colleagues('overtaken', operation, rows, (who, what) => `${who} ${verb} ${what} after you`)
}

function removed(operation: Operation, rows: readonly AnyRow[]): Notice {
  const it = rows.length === 1 ? 'it' : 'them'
  return colleagues('removed', operation, rows, (who, what) => `${who} changed ${what} before you deleted ${it}`)
}

function colleagues(
  kind: Notice['kind'],
  { table }: Operation,
  rows: readonly AnyRow[],
  words: (who: string, what: string) => string,
): Notice {
  const [row] = rows
  const by = row && rows.every((other) => other.updated_by === row.updated_by) ? memberName(row.updated_by) : null
  const what = row && rows.length === 1 ? (recordName(row) ?? 'a record') : `${rows.length} ${table}`
  const who = by ?? (rows.length === 1 ? 'A colleague' : 'Colleagues')
  return { kind, text: words(who, what), detail: null, table, rowIds: rows.map(({ id }) => id), by }
}

function attention(operation: Operation, text: string, detail: string): Notice {
  const { table, rowId, rowIds = [rowId] } = operation
  return { kind: 'attention', text, detail, table, rowIds, by: null }
}

function bothChanged(row: AnyRow): string {
  return `${memberName(row.updated_by) ?? 'A colleague'} changed ${recordName(row) ?? 'it'} too. Which is right?`
}

function wentMissing(operation: Operation): string {
  return `${operation.title}: it was deleted meanwhile.`
}
