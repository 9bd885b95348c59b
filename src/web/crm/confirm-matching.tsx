import type { Matching, MatchingChange, MatchingResult } from '#web/data/change-matching.ts'
import { nounOf } from '#web/data/changes/record-words.ts'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { countOf } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'

/** What is asked about before it is done. `done`: '5,000 contacts deleted', from '5,000 contacts'. */
export interface Asked {
  change: MatchingChange
  /** 'Delete 5,000 contacts?', 'Give 5,000 contacts to Ana Pryce?' */
  title: string
  done: (records: string) => string
}

/** Most records that 'Undo' brings back or gives back. */
const mostUndone = 5000
/** Most different values of a field that it gives back: the records of each are written together. */
const mostValues = 300

/** Whether 'Undo' is offered for what was done. */
export function canUndo({ ids, replaced }: Pick<MatchingResult, 'ids' | 'replaced'>): boolean {
  if (ids.length === 0 || ids.length > mostUndone) return false
  return new Set(replaced.map((values) => JSON.stringify(values))).size <= mostValues
}

interface ConfirmMatchingProps {
  asked: Asked
  matching: Matching
  count: number
  onClose: () => void
  onConfirm: () => void
}

/** Asks before all records of a list are changed, with their number and what the list looks for. */
export function ConfirmMatching({ asked, matching, count, onClose, onConfirm }: ConfirmMatchingProps) {
  const isOffline = useIsOffline()
  const { one, many } = nounOf(matching.table)
  const isDelete = 'delete' in asked.change
  return (
    <Dialog
      open
      onClose={onClose}
      width="small"
      title={asked.title}
      description={`${whichOf(matching, many)}, also those that are not shown. ${consequence(asked.change, count)}`}
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

/** 'All contacts that match “messe” and are yours' */
function whichOf({ search, mine, where }: Matching, many: string): string {
  const parts = [
    search.trim() && `match “${search.trim()}”`,
    mine && 'are yours',
    where && 'pass the filter of the list',
  ].filter(Boolean)
  return parts.length > 0 ? `All ${many} that ${parts.join(' and ')}` : `All ${many} of this brand`
}

function consequence(change: MatchingChange, count: number): string {
  if (count > mostUndone) return 'This cannot be undone.'
  if ('delete' in change) return 'Undo brings them back.'
  if ('custom' in change)
    return `Undo gives each its value of before, as long as these are at most ${mostValues} different ones.`
  return 'owner_id' in change ? 'Undo gives them back to their owners.' : 'Undo gives them their tags of before.'
}
