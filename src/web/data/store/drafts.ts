import type { Device } from '#web/data/browser/device.ts'
import { draftsKey } from '#web/data/session/stored-user.ts'
import { fieldOf } from '#web/lib/read-unknown.ts'
import type { BrandData } from './brand-data.ts'

type Owner = Pick<BrandData, 'userId' | 'brandId'>

/** How many forms a brand keeps what was typed of; the oldest go. */
const draftLimit = 20

/** What was typed into a form of this brand and not sent, in this tab; undefined: nothing. */
export function readDraft(device: Device, owner: Owner, form: string): unknown {
  return fieldOf(readAll(device, owner), form)
}

/** Keeps what is typed into a form, so that a reload does not lose it; null forgets it. Stays undone where the tab's storage is full. */
export function keepDraft(device: Device, owner: Owner, form: string, values: object | null): void {
  const before = readAll(device, owner)
  if (!values && fieldOf(before, form) === undefined) return
  const others = Object.entries(before ?? {}).filter(([name]) => name !== form)
  const drafts = [...others, ...(values ? [[form, values]] : [])].slice(-draftLimit)
  try {
    device.tabStorage?.setItem(draftsKey(owner.userId, owner.brandId), JSON.stringify(Object.fromEntries(drafts)))
  } catch (error) {
    console.warn('A draft could not be kept.', error)
  }
}

function readAll(device: Device, { userId, brandId }: Owner): object | null {
  try {
    const stored: unknown = JSON.parse(device.tabStorage?.getItem(draftsKey(userId, brandId)) ?? 'null')
    return typeof stored === 'object' ? stored : null
  } catch {
    return null
  }
}
