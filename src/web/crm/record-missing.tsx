import { useEffect, useEffectEvent, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { restoreRecords } from '#web/data/changes/delete-records.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { type KnownDeletion, mergedRecordId, readAndRecordDeletion } from '#web/data/changes/deletion.ts'
import { usePeople } from '#web/data/people/people.ts'
import type { ListedTable } from '#web/data/store/record-tables.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { toast } from '#web/ui/toast.ts'
import { capitalised } from './delete-with-undo.ts'
import { moveDraft, newNoteDraft } from './move-draft.ts'
import { useOpenRecord } from './record-link.tsx'
import { beginUndoable } from './undo-action.ts'

interface RecordMissingProps {
  table: ListedTable
  id: string
}

/**
 * Shown in the panel of a missing record. If this device has added the record, and the server has merged it into an existing one, opens that one,
 * with the draft of a note. Otherwise says who deleted the record, and offers 'Restore'. Without a known deletion, it says that the record does not
 * exist or that this person has no access.
 */
export function RecordMissing({ table, id }: RecordMissingProps) {
  const device = useDevice()
  const openRecord = useOpenRecord()
  const [deletion, setDeletion] = useState<KnownDeletion | null>()
  const openMerged = useEffectEvent((mergedId: string) => {
    moveDraft(device, newNoteDraft(id), newNoteDraft(mergedId))
    openRecord(table, mergedId)
  })
  useEffect(() => {
    let hasLeft = false
    void mergedRecordId(device, table, id).then(async (mergedId) => {
      const found = mergedId === null ? await readAndRecordDeletion(device, table, id) : null
      if (hasLeft) return
      if (mergedId === null) setDeletion(found)
      else openMerged(mergedId)
    })
    return () => {
      hasLeft = true
    }
  }, [device, table, id])
  if (deletion === undefined) return null
  if (deletion) return <DeletedRecord table={table} id={id} {...deletion} />
  return (
    <EmptyState
      drawing="search"
      title="Not found, or no access"
      description="It may have been deleted, or belong to a brand you are not a member of."
    />
  )
}

function DeletedRecord({ table, id, by, at }: RecordMissingProps & KnownDeletion) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const deleter = usePeople().byId(by)
  const { one } = rowWordsOf(table)
  const restore = async () => {
    setPending(true)
    const { run, options } = beginUndoable(device)
    const outcome = await run(() => restoreRecords(device, table, [id]))
    setPending(false)
    if (outcome.status === 'refused') toast.error(`Error restoring ${one}`, { description: outcome.message })
    else if (outcome.status === 'saved') toast.success(`${capitalised(one)} restored`, options)
    else toast.success('Saved on this device', options)
  }
  return (
    <EmptyState
      drawing="search"
      title={deleter ? `${deleter.isMe ? 'You' : deleter.name} deleted this ${one}` : `This ${one} was deleted`}
      description={formatMoment(at)}
      actions={
        <Button pending={pending} onClick={() => void restore()}>
          Restore
        </Button>
      }
    />
  )
}
