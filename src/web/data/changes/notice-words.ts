import type { Device } from '#web/data/browser/device.ts'
import { memberName } from './member-name.ts'
import { nameOfRecord, rowWordsOf } from './record-words.ts'
import { refusalMessage, refusalTitle } from './refusal-words.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { Operation } from '#web/data/store/operation.ts'
import type { Notice } from './notice.ts'
import type { SendResult } from './send-result.ts'
import type { MergeEffect } from './settle-merged.ts'

/** The words for a change that the user has made on another device, as in queue-lines.ts. */
const otherDevice = 'Your other device'

/**
 * Returns the notices that tell the user about the result of an operation. `isShown`: the screen that made the operation shows a refusal or
 * a deleted record itself, so there is no notice about it. `merge`: if a new record was merged into an existing one, what this means for the later
 * operations of the user.
 */
export function noticesOf(
  device: Device,
  operation: Operation,
  sent: SendResult,
  isShown: boolean,
  merge?: MergeEffect | void,
): readonly Notice[] {
  switch (sent.kind) {
    case 'settled':
      if (sent.overtakenBy) return [overtakenNotice(device, operation, [sent.overtakenBy])]
      return sent.row ? mergeNotices(operation, sent.rowId, sent.row, merge) : []
    case 'changed': {
      const overtakenNotices = sent.overtakenBy.length > 0 ? [overtakenNotice(device, operation, sent.overtakenBy)] : []
      // A missing row was deleted. A deleted row needs attention after an edit, but not after a delete.
      const isComplete = operation.kind === 'delete' || sent.rows.length === (operation.rowIds?.length ?? 1)
      return isComplete || isShown
        ? overtakenNotices
        : [...overtakenNotices, attentionNotice(operation, 'Needs attention', deletedText(operation))]
    }
    case 'deleted-here':
      return sent.changedBefore.length > 0 ? [deletedHereNotice(device, operation, sent.changedBefore)] : []
    case 'conflict':
      return [attentionNotice(operation, 'Needs attention', conflictText(device, operation, sent))]
    case 'deleted-elsewhere':
      return isShown ? [] : [attentionNotice(operation, 'Needs attention', deletedText(operation))]
    case 'refused':
      return isShown
        ? []
        : [attentionNotice(operation, refusalTitle(operation), refusalMessage(operation, sent.message, sent.code))]
    default:
      return []
  }
}

function overtakenNotice(device: Device, operation: Operation, rows: readonly AnyRow[]): Notice {
  const verb = operation.icon === 'move' ? 'moved' : 'changed'
  const after = operation.givesWay ? 'meanwhile. That stays' : 'after you'
  return colleagueNotice(device, 'overtaken', operation, rows, (who, what) => `${who} ${verb} ${what} ${after}`)
}

function deletedHereNotice(device: Device, operation: Operation, rows: readonly AnyRow[]): Notice {
  const pronoun = rows.length === 1 ? 'it' : 'them'
  return colleagueNotice(
    device,
    'deleted-here',
    operation,
    rows,
    (who, what) => `${who} changed ${what} before you deleted ${pronoun}`,
  )
}

function colleagueNotice(
  device: Device,
  kind: Notice['kind'],
  { table, userId }: Operation,
  rows: readonly AnyRow[],
  words: (who: string, what: string) => string,
): Notice {
  const [row] = rows
  const author = row && rows.every((other) => other.updated_by === row.updated_by) ? row.updated_by : null
  const by = author === userId ? null : memberName(device, author)
  const what = row && rows.length === 1 ? (nameOfRecord(row) ?? 'a record') : `${rows.length} ${table}`
  const who = by ?? (author === userId ? otherDevice : rows.length === 1 ? 'A colleague' : 'Colleagues')
  return { kind, text: words(who, what), detail: null, table, rowIds: rows.map(({ id }) => id), by }
}

/**
 * Returns a notice if the record that the user added existed already (with the id `serverId`). There is none for a contact or a tag, unless the user
 * has deleted it or is asked about it: otherwise the result is the same as online.
 */
function mergeNotices(
  operation: Operation,
  serverId: string,
  row: AnyRow,
  merge: MergeEffect | void,
): readonly Notice[] {
  const { kind, table, rowId } = operation
  if (kind !== 'call' || serverId === rowId) return []
  const text = `${nameOfRecord(row) ?? `The ${rowWordsOf(table).one}`} already existed`
  if (table !== 'companies' && !merge?.isDeleteDropped && !merge?.isKeyEdited) return []
  const detail = `What you added was merged into it.${merge?.isDeleteDropped ? ' It was not deleted.' : ''}`
  return [{ kind: 'merged', text, detail, table, rowIds: [row.id], by: null }]
}

function attentionNotice(operation: Operation, text: string, detail: string): Notice {
  const { table, rowId, rowIds = [rowId] } = operation
  return { kind: 'attention', text, detail, table, rowIds, by: null }
}

function conflictText(
  device: Device,
  { userId }: Operation,
  { row, theirsBy }: Extract<SendResult, { kind: 'conflict' }>,
): string {
  const who = theirsBy === userId ? otherDevice : (memberName(device, theirsBy) ?? 'A colleague')
  return `${who} changed ${nameOfRecord(row) ?? 'it'} too. Which is right?`
}

function deletedText(operation: Operation): string {
  return `${operation.title}: the record was deleted meanwhile.`
}
