import type { Device } from '#web/data/browser/device.ts'
import { serverUndoOf } from '#web/data/changes/server-steps.ts'
import type { Step } from '#web/data/changes/steps.ts'
import { redoStep, undoStep, type UndoResult } from '#web/data/changes/undo-step.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { isRecordTable } from '#web/data/store/record-tables.ts'
import { holdFocus } from '#web/ui/hold-focus.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/**
 * Undoes a step of this tab (default: the last one) and shows a toast: 'Undid: Renewal 2027 moved to Won'. An
 * action of the server undoes itself, or asks the user first.
 */
export function undo(device: Device, step?: Step): void {
  const undoOnServer = serverUndoOf(device, step)
  if (undoOnServer) undoOnServer()
  else showUndone(device, undoStep(device, step), 'Nothing to undo')
}

/** Redoes a step of this tab (default: the last undone one) and shows a toast: 'Redid: Renewal 2027 moved to Won'. */
export function redo(device: Device, step?: Step): void {
  showUndone(device, redoStep(device, step), 'Nothing to redo')
}

function showUndone(device: Device, undoResult: UndoResult | null, nothingTitle: string): void {
  if (!undoResult)
    return toast.success(nothingTitle, { description: 'Only actions of this tab since it was loaded can be undone.' })
  const { verb, words, skipped, opposite, outcome } = undoResult
  const [first] = skipped
  const rowCount = new Set(skipped.map(({ rowId }) => rowId)).size
  const reason = rowCount > 1 ? `${rowCount} were changed since and stay as they are` : first?.words
  if (!opposite && reason)
    return toast.error(`Not ${verb === 'Undid' ? 'undone' : 'redone'}: ${words}`, { description: reason })
  const options: ToastOptions = {
    ...(reason && { description: reason }),
    ...(opposite && oppositeAction(device, verb, opposite)),
  }
  toast.success(`${verb}: ${words}`, options)
  if (opposite) void holdFocus(() => elementOf(opposite))
  void outcome.then((result) => {
    const title = verb === 'Undid' ? 'Undo failed' : 'Redo failed'
    if (result.status === 'refused') toast.error(title, { description: result.message })
  })
}

/** Returns the first row or card on the screen for a record that the step has changed. */
function elementOf({ operations }: Step): Element | null {
  for (const { table, rowId, rowIds = [rowId] } of operations)
    for (const id of isRecordTable(table) ? rowIds : []) {
      const found = document.getElementById(`${rowWordsOf(table).one}-${id}`)
      if (found) return found
    }
  return null
}

/** Returns the button of the toast that does the opposite: 'Redo' after an undo, 'Undo' after a redo. */
function oppositeAction(device: Device, verb: UndoResult['verb'], step: Step): ToastOptions {
  const isUndo = verb === 'Undid'
  return { action: { label: isUndo ? 'Redo' : 'Undo', run: () => (isUndo ? redo : undo)(device, step) } }
}
