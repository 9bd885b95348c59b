import { runningWork } from './running-work.ts'

/**
 * Records the beginning of work that a reload would end. Until the work has ended, the page does not reload by itself, and the browser
 * asks for confirmation before the tab is closed. Returns the function that records the end.
 */
export function beginWork(): () => void {
  const warn = (event: Event) => event.preventDefault()
  globalThis.addEventListener?.('beforeunload', warn)
  runningWork.add(warn)
  return () => {
    globalThis.removeEventListener?.('beforeunload', warn)
    runningWork.delete(warn)
  }
}
