import { browserSurroundings } from './browser-surroundings.ts'
import { type Device, openDevice } from './device.ts'
import { keyValueStore } from './key-value-store.ts'

/** The device of this tab. `isStored`: false if the browser forbids the app to store anything, for example in a private window. */
export interface UsableDevice {
  device: Device
  isStored: boolean
}

/**
 * Opens the device of this tab. If the browser forbids the app to store anything, everything is kept in the memory of this tab, so that the app
 * works with a connection.
 */
export async function openUsableDevice(): Promise<UsableDevice> {
  try {
    const device = openDevice(browserSurroundings())
    await keyValueStore(device).open()
    return { device, isStored: true }
  } catch (error) {
    console.warn('The browser forbids this page to store anything.', error)
    const { memorySurroundings } = await import('./memory-surroundings.ts')
    return { device: openDevice(memorySurroundings()), isStored: false }
  }
}
