import type { Device } from '#web/data/browser/device.ts'
import { draftsKey } from '#web/data/session/stored-user.ts'
import { fieldOf } from '#web/lib/read-unknown.ts'
import type { BrandData } from './brand-data.ts'

type BrandOfUser = Pick<BrandData, 'userId' | 'brandId'>

/** Maximum number of forms per brand whose drafts are kept. If there are more, the oldest drafts are deleted. */
const draftLimit = 20

/** Returns the values that a person has typed into a form of this brand in this tab and has not sent. Undefined if there are none. */
export function readFormDraft(device: Device, brand: BrandOfUser, form: string): unknown {
  return fieldOf(readDrafts(device, brand), form)
}

/**
 * Stores the values that a person has typed into a form in this tab's storage, so that a reload does not lose them. Null deletes the stored values.
 * Stores nothing if the tab's storage is full.
 */
export function storeFormDraft(device: Device, brand: BrandOfUser, form: string, values: object | null): void {
  const storedDrafts = readDrafts(device, brand)
  if (!values && fieldOf(storedDrafts, form) === undefined) return
  const otherDrafts = Object.entries(storedDrafts ?? {}).filter(([name]) => name !== form)
  const drafts = [...otherDrafts, ...(values ? [[form, values]] : [])].slice(-draftLimit)
  try {
    device.tabStorage?.setItem(draftsKey(brand.userId, brand.brandId), JSON.stringify(Object.fromEntries(drafts)))
  } catch (error) {
    console.warn('A draft could not be stored.', error)
  }
}

function readDrafts(device: Device, { userId, brandId }: BrandOfUser): object | null {
  try {
    const stored: unknown = JSON.parse(device.tabStorage?.getItem(draftsKey(userId, brandId)) ?? 'null')
    return typeof stored === 'object' ? stored : null
  } catch {
    return null
  }
}
