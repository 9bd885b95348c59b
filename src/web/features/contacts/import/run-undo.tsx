import type { Device } from '#web/data/browser/device.ts'
import { removeServerStep, recordServerStep } from '#web/data/changes/server-steps.ts'
import { planUndo, type UndoneImport, undoImport } from '#web/data/imports.ts'
import { UndoIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { planWords, undoneWords, undoVerb } from './undo-words.ts'

/** Adds an import as a step of undo. Ctrl+Z asks for confirmation before it undoes the import, because the undo cannot be redone. */
export function addImportUndoStep(device: Device, importId: string, fileName: string): void {
  recordServerStep(device, importId, () => void askForUndo(device, importId, fileName))
}

async function askForUndo(device: Device, importId: string, fileName: string): Promise<void> {
  try {
    const plan = await planUndo(device, importId)
    const planText = planWords(plan).join(' ')
    if (undoVerb(plan) === null) {
      // The next Ctrl+Z undoes the action before the import.
      removeServerStep(device, importId)
      toast.error(`The import of ${fileName} cannot be undone`, { description: planText })
      return
    }
    toast.success(`Undo the import of ${fileName}?`, {
      leading: <UndoIcon />,
      description: planText,
      action: { label: 'Undo import', run: () => void runUndo(device, importId) },
    })
  } catch (error) {
    toast.error('Undo failed', { description: messageOf(error) })
  }
}

/**
 * Undoes an import: deletes what it added, restores what it changed, and shows what stays. Resolves to null if the server refused; then a
 * toast shows the server's message.
 */
export async function runUndo(device: Device, importId: string): Promise<UndoneImport | null> {
  const undoToast = toast.begin()
  try {
    const undone = await undoImport(device, importId)
    removeServerStep(device, importId)
    undoToast.success('Import undone', { description: undoneWords(undone) })
    return undone
  } catch (error) {
    undoToast.error('Undo failed', { description: messageOf(error) })
    return null
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
