import { type Device, devicePart } from './device.ts'

const hasAsked = devicePart(() => ({ value: false }))

/**
 * Asks the browser not to clear this device's data when the disk gets full. Asks once per page. Called when data exists only on this device, or
 * when the app is installed. Chromium and Safari decide themselves; Firefox asks the person. The app also works if the request is denied.
 */
export async function requestPersistence(device: Device): Promise<void> {
  const storage = globalThis.navigator?.storage
  const asked = hasAsked(device)
  if (asked.value || !storage?.persist) return
  asked.value = true
  try {
    if (!(await storage.persisted())) await storage.persist()
  } catch (error) {
    console.warn('The request to keep the data failed.', error)
  }
}
