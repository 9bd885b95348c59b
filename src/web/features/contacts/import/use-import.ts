import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useReducer, useRef } from 'react'
import { formatCount } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'
import type { FileFailure } from './file-failure.ts'
import { type Progress, type Report, runImport } from './run-import.ts'

/** What the page shows: one of four states. */
export type ImportState =
  | { step: 'idle' }
  | { step: 'running'; file: File; progress: Progress | null; stopping: boolean }
  | { step: 'unreadable'; file: File; failure: FileFailure }
  | { step: 'ended'; file: File; report: Report }

/**
 * The state of the page's import, and the functions that start and stop it. Leaving the page stops it between two chunks, and a toast says
 * how far it got.
 */
export function useImport(): { state: ImportState; start: (file: File) => void; stop: () => void; reset: () => void } {
  const device = useDevice()
  const [state, set] = useReducer(merge, { step: 'idle' })
  const stopper = useRef<AbortController | null>(null)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
      stopper.current?.abort()
    }
  }, [])
  useLeaveWarning(state.step === 'running')

  async function run(file: File, { signal }: AbortController) {
    const result = await runImport(device, file, signal, (progress) => set({ kind: 'progress', progress }))
    if (result.kind === 'unreadable') {
      set({ kind: 'state', state: { step: 'unreadable', file, failure: result.failure } })
      toast.error('Error', { description: 'Failed to parse CSV file' })
      return
    }
    const { report } = result
    set({ kind: 'state', state: { step: 'ended', file, report } })
    if (report.ended === 'complete') toast.success('Import Complete', { description: completeSentence(report) })
    if (report.ended === 'stopped' && left.current)
      toast.error('Import stopped', { description: partialSentence(report) })
    if (report.ended === 'failed') toast.error('Error', { description: report.message ?? undefined })
  }

  return {
    state,
    start: (file) => {
      if (state.step === 'running') return
      stopper.current = new AbortController()
      set({ kind: 'state', state: { step: 'running', file, progress: null, stopping: false } })
      void run(file, stopper.current)
    },
    stop: () => {
      stopper.current?.abort()
      set({ kind: 'stopping' })
    },
    reset: () => set({ kind: 'state', state: { step: 'idle' } }),
  }
}

/** How far an unfinished import got. */
export function partialSentence({ imported, rows, errors }: Pick<Report, 'imported' | 'rows' | 'errors'>): string {
  const counts = `${formatCount(imported)} of ${formatCount(rows)} rows were imported, ${formatCount(errors)} skipped.`
  return `${counts} Choose the same file again to continue: contacts that were imported are not added twice.`
}

/** The exact text of spec section 8: numbers without separators. */
export function completeSentence({ imported, errors }: Pick<Report, 'imported' | 'errors'>): string {
  return `Successfully imported ${imported} contacts. ${errors} errors.`
}

type Change = { kind: 'state'; state: ImportState } | { kind: 'progress'; progress: Progress } | { kind: 'stopping' }

function merge(state: ImportState, change: Change): ImportState {
  if (change.kind === 'state') return change.state
  if (state.step !== 'running') return state
  return change.kind === 'progress' ? { ...state, progress: change.progress } : { ...state, stopping: true }
}

/** While an import runs, closing the tab asks first. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [active])
}
