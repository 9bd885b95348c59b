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

/** Merges a tag into another one: its records get the other tag, and the tag is deleted. */
export function MergeTagDialog({ tag, others, count, onClose }: MergeTagDialogProps) {
  const device = useDevice()
  const isOffline = useIsOffline()
  const [intoId, setIntoId] = useState<string | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const into = others.find(({ id }) => id === intoId)
  const records = count ? count.contacts + count.companies + count.deals : 0
  const canUndo = records <= maxUndoableMerge
  const merge = async () => {
    if (!into) return
    setDone(0)
    try {
      await mergeTags(device, tag.id, into.id, setDone)
      const undo = () =>
        unmergeTag(device, tag.id).then(() => toast.success(`${tag.name} is back`), refuse('Undo failed'))
      toast.success(
        `${tag.name} merged into ${into.name}`,
        canUndo ? { action: { label: 'Undo', run: () => void undo() } } : {},
      )
      onClose()
    } catch (error) {
      setDone(null)
      refuse('Error merging tags')(error)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => void merge()}
      pending={done !== null}
      width="small"
      title={`Merge ${tag.name} into another tag?`}
      description={`${countOf(records, 'record', 'records')} with ${tag.name} ${records === 1 ? 'gets' : 'get'} the other tag instead, and ${tag.name} is deleted.${canUndo ? '' : ' This cannot be undone.'}`}
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={done !== null}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" size="form" pending={done !== null} disabled={!into || isOffline}>
            Merge
          </Button>
        </>
      }
    >
      <Field label="Into">
        <Select
          data-autofocus
          placeholder="Choose a tag…"
          value={intoId}
          options={others.map(({ id, name, color }) => ({ value: id, label: name, leading: <TagDot color={color} /> }))}
          onChange={setIntoId}
        />
      </Field>
      <p role="status" className="num min-h-lh pt-2 text-ink2">
        {done !== null && done > 0 && `${formatCount(done)} of ${formatCount(Math.max(done, records))}`}
      </p>
      <NeedsConnection offline={isOffline}>Merging tags needs a connection.</NeedsConnection>
    </Dialog>
  )
}

function refuse(title: string) {
  return (error: unknown) => {
    toast.error(title, { description: error instanceof Error ? error.message : String(error) })
  }
}
