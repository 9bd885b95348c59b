import { useState } from 'react'
import { stageOptions } from '#web/crm/stage-options.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { deletePipeline, deleteStage, maxUndoableMoves } from '#web/data/change-stages.ts'
import { useDealsInStages, useDealStages } from '#web/data/deal-stages.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { countOf } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import type { StagesToDelete } from './question.ts'
import { toastStageRefusal } from './stage-refused.ts'
import { undoDelete } from './undo-delete.ts'

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
  const isStage = 'stage' in toDelete
  const { id, name } = isStage ? toDelete.stage : toDelete.pipeline
  const gone = stages.filter((stage) => (isStage ? stage.id : stage.pipeline_id) === id)
  const deals = useDealsInStages(gone.map((stage) => stage.id))
  const others = stages.filter((stage) => !gone.includes(stage))
  const [own] = gone
  const beside = others.filter((stage) => stage.pipeline_id === own?.pipeline_id)
  const nearest = beside.findLast(({ position }) => position < (own?.position ?? 0)) ?? beside[0] ?? others[0]
  const [chosen, setChosen] = useState<string | null>(null)
  const to = chosen ?? nearest?.id ?? null
  const noun = isStage ? 'stage' : 'pipeline'
  const canUndo = (deals ?? 0) <= maxUndoableMoves

  const remove = async () => {
    setPending(true)
    const target = deals === 0 ? null : to
    const outcome = isStage ? await deleteStage(device, id, target) : await deletePipeline(device, id, target)
    setPending(false)
    if (toastStageRefusal(`Error deleting ${noun}`, outcome)) return
    onClose()
    const targetName = stages.find((stage) => stage.id === target)?.name
    toast.success(`${isStage ? 'Stage' : 'Pipeline'} deleted`, {
      description: targetName ? `${countOf(deals ?? 0, 'deal', 'deals')} moved to ${targetName}` : name,
      ...(canUndo && {
        action: {
          label: 'Undo',
          run: () =>
            void undoDelete(
              device,
              gone.map((stage) => stage.id),
              isStage ? null : id,
            ),
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
            disabled={deals === null}
            onClick={() => void remove()}
          >
            Delete
          </Button>
        </>
      }
    >
      {deals !== null && deals > 0 ? (
        <div className="flex flex-col gap-5">
          <p className="text-ink2">
            {countOf(deals, 'deal is', 'deals are')} in this {noun}.{' '}
            {deals === 1 ? 'It moves with its' : 'They move with their'} history.
            {!canUndo && ' This cannot be undone.'}
          </p>
          <Field label={deals === 1 ? 'The deal goes to' : 'The deals go to'}>
            <Select value={to} options={stageOptions(others, pipelines)} onChange={setChosen} />
          </Field>
        </div>
      ) : (
        <p className="text-ink2">
          {deals === null ? 'The deals are being counted…' : `No deal is in this ${noun}.`}
          {!isStage && gone.length > 0 && deals === 0 && ` ${countOf(gone.length, 'stage goes', 'stages go')} with it.`}
        </p>
      )}
    </Dialog>
  )
}
