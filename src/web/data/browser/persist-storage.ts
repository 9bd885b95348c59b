let asked = false

/**
 * Asks the browser, once a page, not to clear this device's data when the disk gets full: when something exists only here, or the app is
 * installed. Chromium and Safari decide by themselves, Firefox asks the person; all work goes on without it.
 */
export async function askToPersist(): Promise<void> {
  const storage = globalThis.navigator?.storage
  if (asked || !storage?.persist) return
  asked = true
  try {
    if (!(await storage.persisted())) await storage.persist()
  } catch (error) {
    console.warn('The browser was not asked to keep the data.', error)
  }
}

globalThis.addEventListener?.('appinstalled', () => void askToPersist())
