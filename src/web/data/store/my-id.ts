import { type Device } from '#web/data/browser/device.ts'
import { openBrand } from './brand-data.ts'

/** The user whose records 'mine' are, as this tab shows them; null while no brand is open. */
export function myId(device: Device): string | null {
  return openBrand(device).get()?.userId ?? null
}
