import { DeleteStagesDialog } from './delete-stages-dialog.tsx'
import { PipelineDialog } from './pipeline-dialog.tsx'
import type { StagesDialogRequest } from './dialog-request.ts'
import { StageDialog } from './stage-dialog.tsx'

/** The open dialog of the Deal Stages card, with the values at the time it was opened. */
export function StageDialogs({
  request,
  onAsk,
  onClose,
}: {
  request: StagesDialogRequest
  onAsk: (request: StagesDialogRequest) => void
  onClose: () => void
}) {
  switch (request.kind) {
    case 'stage':
      return (
        <StageDialog
          key={request.stage?.id ?? 'new'}
          open
          pipelineId={request.pipelineId}
          stage={request.stage}
          onClose={onClose}
          onDelete={(stage) => onAsk({ kind: 'delete', toDelete: { stage } })}
        />
      )
    case 'pipeline':
      return <PipelineDialog key={request.pipeline?.id ?? 'new'} open pipeline={request.pipeline} onClose={onClose} />
    case 'delete':
      return <DeleteStagesDialog open toDelete={request.toDelete} onClose={onClose} />
  }
}
