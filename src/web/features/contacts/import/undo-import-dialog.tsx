import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useState } from 'react'
import { planUndo, type UndoPlan } from '#web/data/imports.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { planWords, undoVerb } from './undo-words.ts'

interface UndoImportDialogProps {
  importId: string
  fileName: string | null
  onClose: () => void
  onConfirm: () => void
}

/**
 * Asks for confirmation before an import is undone. Says how many contacts are deleted, get their former values, or stay as they are. If
 * nothing can be undone, it says so and has only the button 'Close'.
 */
export function UndoImportDialog({ importId, fileName, onClose, onConfirm }: UndoImportDialogProps) {
  const device = useDevice()
  const [plan, setPlan] = useState<UndoPlan | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    planUndo(device, importId).then(setPlan, (error: unknown) =>
      setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [device, importId])
  const verb = plan && undoVerb(plan)
  const hasNothingToUndo = plan !== null && verb === null
  return (
    <Dialog
      open
      onClose={onClose}
      width="small"
      title={hasNothingToUndo ? 'Nothing to undo' : 'Undo this import?'}
      description={fileName}
      footer={
        <>
          {!hasNothingToUndo && (
            <Button size="form" onClick={onClose}>
              Cancel
            </Button>
          )}
          {/* 'Close' and the confirmation are the same button, so that it keeps the focus when the response comes. */}
          <Button
            size="form"
            variant={hasNothingToUndo ? 'default' : 'danger'}
            pending={!plan && !failure}
            disabled={!plan}
            onClick={hasNothingToUndo ? onClose : onConfirm}
            data-autofocus
          >
            {hasNothingToUndo ? 'Close' : (verb ?? 'Undo import')}
          </Button>
        </>
      }
    >
      <div role="status" className="flex min-h-15 flex-col gap-2 text-sm text-ink2">
        {failure && <p className="text-danger">{failure}</p>}
        {plan && planWords(plan).map((words) => <p key={words}>{words}</p>)}
      </div>
    </Dialog>
  )
}
