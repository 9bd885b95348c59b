import { useState } from 'react'
import { stageOptions } from '#web/crm/stage-options.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { deletePipeline, deleteStage, maxUndoableMoves } from '#web/data/change-stages.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { useDealsInStages } from '#web/data/deals-in-stages.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { countOf } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import type { StagesToDelete } from './dialog-request.ts'
import { toastStageRefusal } from './stage-refusal.ts'
import { addUndoOfDelete } from './undo-delete.ts'

/** Asks for confirmation before a stage or a pipeline is deleted, and which stage its deals move to. */
export function DeleteStagesDialog({
  open,
  toDelete,
  onClose,
}: {
  open: boolean
  toDelete: StagesToDelete
  onClose: () => void
}) {
  const device = useDevice()
  const pipelines = usePipelines()
  const { stages } = useDealStages()
  const [pending, setPending] = useState(false)
  // Whether an earlier attempt had too many deals for an undo. It may have moved some of them before it failed: the number of the others may be
  // small, but an undo would have to move all of them back.
  const [hasTriedTooMany, setTriedTooMany] = useState(false)
  const isStage = 'stage' in toDelete
  const { id, name } = isStage ? toDelete.stage : toDelete.pipeline
  const stagesToDelete = stages.filter((stage) => (isStage ? stage.id : stage.pipeline_id) === id)
  const dealCount = useDealsInStages(stagesToDelete.map((stage) => stage.id))
  const remainingStages = stages.filter((stage) => !stagesToDelete.includes(stage))
  const [firstToDelete] = stagesToDelete
  const samePipelineStages = remainingStages.filter((stage) => stage.pipeline_id === firstToDelete?.pipeline_id)
  const defaultTarget =
    samePipelineStages.findLast(({ position }) => position < (firstToDelete?.position ?? 0)) ??
    samePipelineStages[0] ??
    remainingStages[0]
  const [chosenId, setChosenId] = useState<string | null>(null)
  const targetId = chosenId ?? defaultTarget?.id ?? null
  const noun = isStage ? 'stage' : 'pipeline'
  const canUndo = !hasTriedTooMany && (dealCount ?? 0) <= maxUndoableMoves

  const remove = async () => {
    setPending(true)
    setTriedTooMany(!canUndo)
    const target = dealCount === 0 ? null : targetId
    const outcome = isStage ? await deleteStage(device, id, target) : await deletePipeline(device, id, target)
    setPending(false)
    if (toastStageRefusal(`Error deleting ${noun}`, outcome)) return
    onClose()
    const targetName = stages.find((stage) => stage.id === target)?.name
    toast.success(`${isStage ? 'Stage' : 'Pipeline'} deleted`, {
      description: targetName ? `${countOf(dealCount ?? 0, 'deal', 'deals')} moved to ${targetName}` : name,
      ...(canUndo && {
        action: {
          label: 'Undo',
          run: addUndoOfDelete(device, {
            stageIds: stagesToDelete.map((stage) => stage.id),
            pipelineId: isStage ? null : id,
          }),
        },
      }),
    })
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      pending={pending}
      width="small"
      title={`Delete ${name}?`}
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending} data-autofocus>
            Cancel
          </Button>
          <Button
            variant="danger"
            size="form"
            pending={pending}
            disabled={dealCount === null}
            onClick={() => void remove()}
          >
            Delete
          </Button>
        </>
      }
    >
      {dealCount !== null && dealCount > 0 ? (
        <div className="flex flex-col gap-5">
          <p className="text-ink2">
            {countOf(dealCount, 'deal is', 'deals are')} in this {noun}.{' '}
            {dealCount === 1 ? 'It moves with its' : 'They move with their'} history.
            {!canUndo && ' This cannot be undone.'}
          </p>
          <Field label={dealCount === 1 ? 'The deal goes to' : 'The deals go to'}>
            <Select value={targetId} options={stageOptions(remainingStages, pipelines)} onChange={setChosenId} />
          </Field>
        </div>
      ) : (
        <p className="text-ink2">
          {dealCount === null ? 'The deals are being counted…' : `No deal is in this ${noun}.`}
          {!isStage &&
            stagesToDelete.length > 0 &&
            dealCount === 0 &&
            ` ${countOf(stagesToDelete.length, 'stage goes', 'stages go')} with it.`}
        </p>
      )}
    </Dialog>
  )
}
