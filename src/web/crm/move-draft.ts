import type { Device } from '#web/data/browser/device.ts'
import { draftName } from './use-draft.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { readFormDraft, storeFormDraft } from '#web/data/store/drafts.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/**
 * Moves the stored draft of one note form to another. If the other form has a draft with a text, the moved text is added below that text. Returns
 * whether there was a draft to move.
 */
export function moveDraft(device: Device, from: string, to: string): boolean {
  const data = openBrand(device).get()
  const moved = data && readFormDraft(device, data, from)
  if (!data || typeof moved !== 'object' || !moved) return false
  const earlier = readFormDraft(device, data, to)
  const earlierText = textOf(earlier, 'body')
  const joined = { ...Object(earlier), body: `${earlierText}\n\n${textOf(moved, 'body') ?? ''}`.trimEnd() }
  storeFormDraft(device, data, to, earlierText ? joined : moved)
  storeFormDraft(device, data, from, null)
  return true
}

/** Returns the name of the draft of a new note on this record. */
export function newNoteDraft(recordId: string): string {
  return draftName('notes', { record: { id: recordId, label: '' } })
}
