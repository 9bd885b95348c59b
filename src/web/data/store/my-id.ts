import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from './brand-data.ts'

/** Returns the id of the signed-in user. Null while no brand is open. */
export function myId(device: Device): string | null {
  return openBrand(device).get()?.userId ?? null
}
