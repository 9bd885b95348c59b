import { DeleteStagesDialog } from './delete-stages-dialog.tsx'
import { PipelineDialog } from './pipeline-dialog.tsx'
import type { Question } from './question.ts'
import { StageDialog } from './stage-dialog.tsx'

/** The open dialog of the Deal Stages card, with the values at the time it was opened. */
export function StageDialogs({
  question,
  onAsk,
  onClose,
}: {
  question: Question
  onAsk: (question: Question) => void
  onClose: () => void
}) {
  switch (question.kind) {
    case 'stage':
      return (
        <StageDialog
          key={question.stage?.id ?? 'new'}
          open
          pipelineId={question.pipelineId}
          stage={question.stage}
          onClose={onClose}
          onDelete={(stage) => onAsk({ kind: 'delete', toDelete: { stage } })}
        />
      )
    case 'pipeline':
      return <PipelineDialog key={question.pipeline?.id ?? 'new'} open pipeline={question.pipeline} onClose={onClose} />
    case 'delete':
      return <DeleteStagesDialog open toDelete={question.toDelete} onClose={onClose} />
  }
}
