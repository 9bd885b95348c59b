import { isAwaited } from '#web/data/changes/outcomes.ts'
import { timelineTables } from '#web/data/notes.ts'
import { peopleView } from '#web/data/people/people.ts'
import { tableNames } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { readFormDraft, storeFormDraft } from '#web/data/store/drafts.ts'
import { queue } from '#web/data/store/queue.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'
import { saveTagsAndNote } from './save-tags-and-note.ts'

/** Returns the name of the draft with the tags and the note for the new record of a form. `form`: the name of the form's draft. */
export function tagsAndNoteDraftName(form: string): string {
  return `${form} tags and note`
}

/**
 * Returns the values of a form as they are stored when the form is submitted: with the id of the new record. A draft without an id was not
 * submitted. The id is in an object, because all versions of the app leave such a value out of the form.
 */
export function submittedDraft(values: object, rowId: string): object {
  return { ...values, newRow: { id: rowId } }
}

/**
 * Passes the draft of a form to `show`, if there is one. If the outbox or the rows have not been read yet, the draft is checked again when they have
 * been read, and `show` gets undefined if it was removed. Returns the function that ends this.
 */
export function offerDraft(data: BrandData, form: string, show: (draft: unknown) => void): () => void {
  const { device } = data
  const read = () => {
    removeIfStored(data, form)
    return readFormDraft(device, data, form)
  }
  const draft = read()
  if (draft === undefined) return () => {}
  show(draft)
  const isRead = () => queue(device).get().isReady && data.loaded.get()
  if (isRead()) return () => {}
  const check = () => {
    if (!isRead()) return
    stop()
    if (read() === undefined) show(undefined)
  }
  const stops = [queue(device).subscribe(check), data.loaded.subscribe(check)]
  const stop = () => {
    for (const each of stops) each()
  }
  return stop
}

/**
 * Removes the draft of a form if it was submitted and its record is on this device. Such a draft is left over if the page was reloaded before the
 * form was answered. The tags and the note that were chosen with it are added to the record.
 */
function removeIfStored(data: BrandData, form: string): void {
  const { device } = data
  const rowId = textOf(fieldOf(readFormDraft(device, data, form), 'newRow'), 'id')
  if (rowId === null || openBrand(device).get() !== data || !isOnDevice(data, rowId)) return
  storeFormDraft(device, data, form, null)
  addTagsAndNote(data, form, rowId)
}

/**
 * Whether the row of a submitted form is on this device, also if it was deleted since. False while this tab waits for the outcome of its operation:
 * if the server refuses it, the operation is discarded, and only the draft is left.
 */
function isOnDevice(data: BrandData, id: string): boolean {
  const operations = queue(data.device)
    .get()
    .operations.filter(({ rowId }) => rowId === id)
  if (operations.length > 0) return operations.every((operation) => !isAwaited(data.device, operation.id))
  return tableNames.some((table) => data.tables[table].get(id) ?? data.tables[table].removedRow(id))
}

/** Adds the tags and the note of a form's draft to the record of the form, unless it was deleted. Removes that draft. */
function addTagsAndNote(data: BrandData, form: string, rowId: string): void {
  const { device } = data
  const table = timelineTables.find((each) => each === form.split(':')[0])
  const name = tagsAndNoteDraftName(form)
  const draft = readFormDraft(device, data, name)
  if (!table || draft === undefined) return
  storeFormDraft(device, data, name, null)
  if (data.tables[table].removedRow(rowId)) return
  const { members } = peopleView(data).read()
  saveTagsAndNote(device, table, rowId, {
    tags: textOf(draft, 'tags') ?? '',
    note: textOf(draft, 'note') ?? '',
    members,
  })
}
