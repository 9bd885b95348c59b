/** Resolves when the page is seen, at once if it is: a hidden page asks for nothing, and hears nothing that it has not begun to hear. */
export function untilVisible(): Promise<void> {
  const page = globalThis.document
  if (page?.visibilityState !== 'hidden') return Promise.resolve()
  return new Promise((resolve) => {
    const look = () => {
      if (page.visibilityState === 'hidden') return
      page.removeEventListener('visibilitychange', look)
      resolve()
    }
    page.addEventListener('visibilitychange', look)
  })
}
