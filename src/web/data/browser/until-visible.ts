/** Resolves when the page is visible. A hidden page sends no requests and opens no socket. */
export function untilVisible(): Promise<void> {
  const page = globalThis.document
  if (page?.visibilityState !== 'hidden') return Promise.resolve()
  return new Promise((resolve) => {
    const resolveIfVisible = () => {
      if (page.visibilityState === 'hidden') return
      page.removeEventListener('visibilitychange', resolveIfVisible)
      resolve()
    }
    page.addEventListener('visibilitychange', resolveIfVisible)
  })
}
