/** Resolves when the page is visible. Work that only a visible page needs, such as opening the socket, waits for it. */
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
