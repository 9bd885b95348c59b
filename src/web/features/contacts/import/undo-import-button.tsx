import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { type UndoneImport, useUndoProgress } from '#web/data/imports.ts'
import { formatCount } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { UndoIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { runUndo } from './run-undo.tsx'

const UndoImportDialog = lazyDialog(async () => (await import('./undo-import-dialog.tsx')).UndoImportDialog)

interface UndoImportButtonProps {
  importId: string
  fileName: string | null
  size?: 'control' | 'form'
  onUndone?: (undone: UndoneImport) => void
}

/** The button 'Undo import': asks for confirmation, undoes the import while showing the progress, and says what stays. */
export function UndoImportButton({ importId, fileName, size = 'control', onUndone }: UndoImportButtonProps) {
  const device = useDevice()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const undoneCount = useUndoProgress(importId)
  const undo = async () => {
    setDialogOpen(false)
    const undone = await runUndo(device, importId)
    if (undone) onUndone?.(undone)
  }
  return (
    <>
      <Button
        size={size}
        variant="quiet"
        icon={<UndoIcon />}
        pending={undoneCount !== null}
        onClick={() => setDialogOpen(true)}
        aria-label={fileName && size === 'control' ? `Undo import of ${fileName}` : undefined}
      >
        <span className="num">{undoneCount === null ? 'Undo import' : `${formatCount(undoneCount)} undone`}</span>
      </Button>
      <UndoImportDialog
        open={isDialogOpen}
        importId={importId}
        fileName={fileName}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => void undo()}
      />
    </>
  )
}
