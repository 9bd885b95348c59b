import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import { formatCount } from '#web/lib/count.ts'
import { useCustomFields } from '#web/data/custom-fields.ts'
import { endImport } from '#web/data/import-run.ts'
import { pastImports } from '#web/data/imports.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { toast } from '#web/ui/toast.ts'
import type { FileFailure } from './file-failure.ts'
import { changeImport, type ImportState, isBeingRead, withFields } from './import-state.ts'
import type { ColumnMap, Target } from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'
import type { Report } from './report.ts'
import { type CheckedFile, checkFile, checkFirstRowAs, runImport } from './run-import.ts'
import { addImportUndoStep } from './run-undo.tsx'
import { useLeaveWarning } from './use-leave-warning.ts'

interface ImportControls {
  state: ImportState
  /** Checks a file, and imports it at once if the person does not need to check its columns (`mayImportUnseen`). */
  start: (file: File) => void
  /** Sets the field of a column of the checked file. Null: the column is left out. */
  choose: (index: number, field: Target | null) => void
  /** Reads the checked file again, with its first row as a contact (`headless`) or as the header. */
  readFirstRowAs: (headless: boolean) => void
  /** Imports the checked file. */
  run: () => void
  /** Stops after the file is checked, or between two chunks. */
  stop: () => void
  /** Returns to the first step. */
  reset: () => void
}

/**
 * Returns the state of the page's import and the functions that start and stop it. Leaving the page stops the import between two chunks,
 * and a toast says how far it got.
 */
export function useImport(): ImportControls {
  const device = useDevice()
  const [reducerState, dispatch] = useReducer(changeImport, { step: 'idle' })
  const fields = useCustomFields('contacts')
  const state = useMemo(() => withFields(reducerState, fields), [reducerState, fields])
  const stopper = useRef<AbortController | null>(null)
  const hasLeftPage = useRef(false)
  /** The checked file that is not imported yet. */
  const waitingFile = useRef<OpenFile | null>(null)
  useEffect(() => {
    hasLeftPage.current = false
    return () => {
      hasLeftPage.current = true
      stopper.current?.abort()
      waitingFile.current?.close()
    }
  }, [])
  useLeaveWarning(state.step === 'running')
  const show = (next: ImportState) => dispatch({ kind: 'state', state: next })

  async function check(file: File) {
    show({ step: 'running', file, progress: null, stopping: false })
    stopper.current = new AbortController()
    const result = await checkFile(device, file)
    if (!result.ok) return refuse(file, result.failure)
    const { columns, understood, headless } = result.summary
    if (stopper.current.signal.aborted) {
      result.open.close()
      show({ step: 'idle' })
    } else if (understood) await send(result, columns)
    else {
      waitingFile.current = result.open
      show({ step: 'columns', checked: result, columns, choices: [], headless })
    }
  }

  function refuse(file: File, failure: FileFailure) {
    show({ step: 'unreadable', file, failure })
    toast.error('Error', { description: 'Failed to parse CSV file' })
  }

  async function checkAgain(checked: CheckedFile, headless: boolean) {
    const { file, open, fields } = checked
    const result = await checkFirstRowAs(checked, headless)
    if (waitingFile.current !== open) return
    if (result.ok) dispatch({ kind: 'summary', open, summary: result.summary, fields })
    else {
      waitingFile.current = null
      refuse(file, result.failure)
    }
  }

  async function send(checked: CheckedFile, columns: ColumnMap) {
    const { file } = checked
    waitingFile.current = null
    show({ step: 'running', file, progress: null, stopping: false })
    const { brandId } = activeBrandState(device).get()
    const { signal } = (stopper.current ??= new AbortController())
    const report = await runImport(device, checked, columns, signal, (progress) =>
      dispatch({ kind: 'progress', progress }),
    )
    show({ step: 'ended', file, report })
    void endImport(device, {
      brandId,
      importId: report.importId,
      isComplete: report.ended === 'complete',
      imported: report.imported,
      skipped: report.errors,
      isSeen: !hasLeftPage.current && document.visibilityState === 'visible',
    })
    if (report.created + report.updated > 0) {
      void pastImports(device).reload()
      addImportUndoStep(device, report.importId, file.name)
    }
    if (report.ended === 'complete') toast.success('Import Complete', { description: completeSentence(report) })
    if (report.ended === 'stopped' && hasLeftPage.current)
      toast.error('Import stopped', { description: partialSentence(report) })
    if (report.ended === 'failed') toast.error('Error', { description: report.message ?? undefined })
  }

  return {
    state,
    start: (file) => {
      if (state.step !== 'running') void check(file)
    },
    choose: (index, field) => dispatch({ kind: 'choice', choice: { index, field }, fields }),
    readFirstRowAs: (headless) => {
      if (state.step !== 'columns' || isBeingRead(state)) return
      dispatch({ kind: 'first-row', headless })
      void checkAgain(state.checked, headless)
    },
    run: () => state.step === 'columns' && !isBeingRead(state) && void send(state.checked, state.columns),
    stop: () => {
      stopper.current?.abort()
      dispatch({ kind: 'stopping' })
    },
    reset: () => {
      waitingFile.current?.close()
      waitingFile.current = null
      show({ step: 'idle' })
    },
  }
}

/** Returns the text about how far an unfinished import got. */
export function partialSentence({ imported, rows, errors }: Pick<Report, 'imported' | 'rows' | 'errors'>): string {
  const counts = `${formatCount(imported)} of ${formatCount(rows)} rows were imported, ${formatCount(errors)} skipped.`
  return `${counts} Choose the same file again to continue: contacts that were imported are not added twice.`
}

/** Returns the exact text of spec section 8, with numbers without separators. */
export function completeSentence({ imported, errors }: Pick<Report, 'imported' | 'errors'>): string {
  return `Successfully imported ${imported} contacts. ${errors} errors.`
}
