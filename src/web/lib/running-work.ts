/** The work in this page that a reload would end: a change of all records that match, an export, an import. */
const runningWork = new Set<(event: Event) => void>()

/** Whether such work runs. */
export function hasRunningWork(): boolean {
  return runningWork.size > 0
}

/**
 * Records that such work has begun. Until it has ended, the page does not reload by itself, and the browser asks for confirmation before the tab is
 * closed. Returns the function that records the end.
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
