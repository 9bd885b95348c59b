import { useRef, useState } from 'react'
import { TagDot } from '#web/crm/tag-chip.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { mergeTags, maxUndoableMerge, type TagCount, unmergeTag } from '#web/data/tag-counts.ts'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { countOf, formatCount } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'

interface MergeTagDialogProps {
  tag: Tag
  others: readonly Tag[]
  /** The number of records with the tag; null if no record has it, undefined if unknown. */
  count: TagCount | null | undefined
  onClose: () => void
}

/** Merges a tag into another one: the records of `tag` get the other tag, and `tag` is deleted. */
export function MergeTagDialog({ tag, others, count, onClose }: MergeTagDialogProps) {
  const device = useDevice()
  const isOffline = useIsOffline()
  const [targetId, setTargetId] = useState<string | null>(null)
  const [mergedCount, setMergedCount] = useState<number | null>(null)
  const targetTag = others.find(({ id }) => id === targetId)
  const recordCount = count === undefined ? null : count ? count.contacts + count.companies + count.deals : 0
  const stopper = useRef(new AbortController())
  const [isStopping, setStopping] = useState(false)
  const isMerging = mergedCount !== null
  const merge = async () => {
    if (!targetTag) return
    stopper.current = new AbortController()
    setMergedCount(0)
    let records = 0
    const countRecords = (changed: number) => {
      records = changed
      setMergedCount(changed)
    }
    try {
      const isDone = await mergeTags(device, tag.id, targetTag.id, countRecords, stopper.current.signal)
      onClose()
      if (!isDone) return toast.error('Merge stopped', { description: partSentence(records, targetTag, tag) })
      const undo = () =>
        unmergeTag(device, tag.id).then(() => toast.success(`${tag.name} is back`), refusalToast('Undo failed'))
      const canUndo = Math.max(records, recordCount ?? 0) <= maxUndoableMerge
      toast.success(
        `${tag.name} merged into ${targetTag.name}`,
        canUndo ? { action: { label: 'Undo', run: () => void undo() } } : {},
      )
    } catch (error) {
      setMergedCount(null)
      setStopping(false)
      refusalToast('Error merging tags')(error)
    }
  }
  const cancel = () => {
    if (!isMerging) return onClose()
    setStopping(true)
    stopper.current.abort()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => void merge()}
      pending={isMerging}
      width="small"
      title={`Merge ${tag.name} into another tag?`}
      description={`${mergeWords(tag, recordCount)}, and ${tag.name} is deleted.${undoLimit(recordCount)}`}
      footer={
        <>
          <Button size="form" onClick={cancel} pending={isStopping}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" size="form" pending={isMerging} disabled={!targetTag || isOffline}>
            Merge
          </Button>
        </>
      }
    >
      <Field label="Into">
        <Select
          data-autofocus
          placeholder="Choose a tag…"
          value={targetId}
          options={others.map(({ id, name, color }) => ({ value: id, label: name, leading: <TagDot color={color} /> }))}
          onChange={setTargetId}
        />
      </Field>
      <p role="status" className="num min-h-lh pt-2 text-ink2">
        {mergedCount !== null &&
          mergedCount > 0 &&
          (recordCount === null
            ? countOf(mergedCount, 'record', 'records')
            : `${formatCount(mergedCount)} of ${formatCount(Math.max(mergedCount, recordCount))}`)}
      </p>
      <NeedsConnection offline={isOffline}>Merging tags needs a connection.</NeedsConnection>
    </Dialog>
  )
}

/** Returns the part of a sentence that says which records change. `recordCount`: null if it is unknown. */
function mergeWords({ name }: Tag, recordCount: number | null): string {
  if (recordCount === null) return `All records with ${name} get the other tag instead`
  return `${countOf(recordCount, 'record', 'records')} with ${name} ${recordCount === 1 ? 'gets' : 'get'} the other tag instead`
}

function undoLimit(recordCount: number | null): string {
  if (recordCount === null)
    return ` If more than ${formatCount(maxUndoableMerge)} records change, this cannot be undone.`
  return recordCount > maxUndoableMerge ? ' This cannot be undone.' : ''
}

function partSentence(records: number, target: Tag, tag: Tag): string {
  const got = records === 1 ? 'has' : 'have'
  // No response has arrived, so it is unknown whether the server has changed records.
  if (records === 0)
    return `Some records may already have ${target.name} instead of ${tag.name}. Merge the tags again to continue.`
  return `${countOf(records, 'record', 'records')} already ${got} ${target.name} instead of ${tag.name}. Merge the tags again to continue.`
}

function refusalToast(title: string) {
  return (error: unknown) => {
    toast.error(title, { description: error instanceof Error ? error.message : String(error) })
  }
}
