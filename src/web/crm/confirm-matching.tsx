import type { Matching, MatchingChange, MatchingResult } from '#web/data/change-matching.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { inverseEdit } from '#web/data/store/set-edit.ts'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { countOf } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'

/**
 * A change of all records that match the query of a list. The person must confirm it. `done` returns the text of the toast, '5,000
 * contacts deleted'; `records` is the number of changed records in words, '5,000 contacts'.
 */
export interface MatchingQuestion {
  change: MatchingChange
  /** The question in the title of the dialog: 'Delete 5,000 contacts?', 'Give 5,000 contacts to Ana Pryce?' */
  title: string
  done: (records: string) => string
}

/** The largest number of records that 'Undo' restores. */
const maxUndoableRecords = 5000
/** The largest number of different values that 'Undo' writes. Records that get the same value are written together. */
const maxFormerValues = 300

/** Whether a toast offers to undo a change of all matching records. */
export function canUndo({ change, ids, replaced }: Pick<MatchingResult, 'change' | 'ids' | 'replaced'>): boolean {
  if (ids.length === 0 || ids.length > maxUndoableRecords) return false
  return new Set(replaced.map((values) => JSON.stringify(writtenByUndo(change, values)))).size <= maxFormerValues
}

/**
 * Returns what 'Undo' writes to a record with these former values. Undo of a change of tags writes only the tags that the change has added or
 * removed.
 */
function writtenByUndo(change: MatchingChange, values: Record<string, unknown>): unknown {
  if (!('add_tags' in change)) return values
  return inverseEdit({ add: change.add_tags, remove: change.remove_tags }, values.tag_ids)
}

interface ConfirmMatchingProps {
  question: MatchingQuestion
  matching: Matching
  count: number
  onClose: () => void
  onConfirm: () => void
}

/** Asks for confirmation before all records of a list are changed. Shows their number and the search and filter of the list. */
export function ConfirmMatching({ question, matching, count, onClose, onConfirm }: ConfirmMatchingProps) {
  const isOffline = useIsOffline()
  const { one, many } = rowWordsOf(matching.table)
  const isDelete = 'delete' in question.change
  return (
    <Dialog
      open
      onClose={onClose}
      width="small"
      title={question.title}
      description={`${matchingText(matching, many)}, also those that are not shown. ${undoHint(question.change, count)}`}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="form"
            variant={isDelete ? 'danger' : 'primary'}
            disabled={isOffline}
            onClick={onConfirm}
            data-autofocus
          >
            {isDelete ? 'Delete' : 'Change'} {countOf(count, one, many)}
          </Button>
        </>
      }
    >
      <NeedsConnection offline={isOffline}>A change of all {many} needs a connection.</NeedsConnection>
    </Dialog>
  )
}

/** Describes which records match: 'All contacts that match “messe” and are yours'. */
function matchingText({ search, mine, where }: Matching, many: string): string {
  const parts = [
    search.trim() && `match “${search.trim()}”`,
    mine && 'are yours',
    where && 'pass the filter of the list',
  ].filter(Boolean)
  return parts.length > 0 ? `All ${many} that ${parts.join(' and ')}` : `All ${many} of this brand`
}

function undoHint(change: MatchingChange, count: number): string {
  if (count > maxUndoableRecords) return 'This cannot be undone.'
  if ('delete' in change) return 'Undo brings them back.'
  if ('custom' in change)
    return `Undo restores the former values, as long as there are at most ${maxFormerValues} different ones.`
  return 'owner_id' in change ? 'Undo restores their former owners.' : 'Undo restores their former tags.'
}
