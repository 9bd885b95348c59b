import { useState } from 'react'
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
  count: TagCount | undefined
  onClose: () => void
}

/** Merges a tag into another one: the records of `tag` get the other tag, and `tag` is deleted. */
export function MergeTagDialog({ tag, others, count, onClose }: MergeTagDialogProps) {
  const device = useDevice()
  const isOffline = useIsOffline()
  const [targetId, setTargetId] = useState<string | null>(null)
  const [mergedCount, setMergedCount] = useState<number | null>(null)
  const targetTag = others.find(({ id }) => id === targetId)
  const recordCount = count ? count.contacts + count.companies + count.deals : 0
  const canUndo = recordCount <= maxUndoableMerge
  const merge = async () => {
    if (!targetTag) return
    setMergedCount(0)
    try {
      await mergeTags(device, tag.id, targetTag.id, setMergedCount)
      const undo = () =>
        unmergeTag(device, tag.id).then(() => toast.success(`${tag.name} is back`), refusalToast('Undo failed'))
      toast.success(
        `${tag.name} merged into ${targetTag.name}`,
        canUndo ? { action: { label: 'Undo', run: () => void undo() } } : {},
      )
      onClose()
    } catch (error) {
      setMergedCount(null)
      refusalToast('Error merging tags')(error)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => void merge()}
      pending={mergedCount !== null}
      width="small"
      title={`Merge ${tag.name} into another tag?`}
      description={`${countOf(recordCount, 'record', 'records')} with ${tag.name} ${recordCount === 1 ? 'gets' : 'get'} the other tag instead, and ${tag.name} is deleted.${canUndo ? '' : ' This cannot be undone.'}`}
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={mergedCount !== null}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="danger"
            size="form"
            pending={mergedCount !== null}
            disabled={!targetTag || isOffline}
          >
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
          `${formatCount(mergedCount)} of ${formatCount(Math.max(mergedCount, recordCount))}`}
      </p>
      <NeedsConnection offline={isOffline}>Merging tags needs a connection.</NeedsConnection>
    </Dialog>
  )
}

function refusalToast(title: string) {
  return (error: unknown) => {
    toast.error(title, { description: error instanceof Error ? error.message : String(error) })
  }
}
