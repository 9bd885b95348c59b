import { type Device, devicePart } from './device.ts'

const hasAsked = devicePart(() => ({ value: false }))

/**
 * Asks the browser not to clear this device's data when the disk gets full. Asks once a page. Called when something exists only on this
 * device, or the app is installed. Chromium and Safari decide by themselves; Firefox asks the person. The app works without it.
 */
export async function askToPersist(device: Device): Promise<void> {
  const storage = globalThis.navigator?.storage
  const asked = hasAsked(device)
  if (asked.value || !storage?.persist) return
  asked.value = true
  try {
    if (!(await storage.persisted())) await storage.persist()
  } catch (error) {
    console.warn('The browser was not asked to keep the data.', error)
  }
}
