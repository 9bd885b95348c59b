import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import { addNote, editNote, pinNote } from '#web/data/notes.ts'
import type { BrandInDatabase } from './sim-database.ts'
import type { SimDevice } from './sim-device.ts'
import type { Marks } from './sim-marks.ts'

/** Ids of notes that a life has deleted. They may be restored. */
const deletedNoteIds = new WeakMap<Marks, string[]>()

/** Writes, changes, pins, deletes or restores a note, chosen by the seed. */
export function actOnNotes(sim: SimDevice, marks: Marks, random: () => number): void {
  const { device, data } = sim
  if (!data) return
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const notes = [...data.tables.notes.values()].toSorted((a, b) => (a.body < b.body ? -1 : 1))
  const note = pick(notes)
  const chance = random()
  const ignoreFailure = (outcome: Promise<unknown>) => void outcome.catch(() => {})
  if (chance < 0.5 || !note) {
    const table = pick(['contacts', 'companies', 'deals'] as const) ?? 'deals'
    const recordId = pick([...data.tables[table].values()].map(({ id }) => id).toSorted())
    if (recordId === undefined) return
    const mark = marks.next(sim, null)
    marks.follow(mark, addNote(device, table, recordId, { kind: 'note', body: mark, occurred_at: null }))
  } else if (chance < 0.7) {
    // The server refuses edits of another author's note. The simulation handles that like every refusal.
    const mark = marks.next(sim, note.body)
    marks.follow(mark, editNote(device, note.id, { body: mark }))
  } else if (chance < 0.8) ignoreFailure(pinNote(device, note.id, !note.pinned))
  else if (chance < 0.92) {
    deletedNoteIds.set(marks, [...(deletedNoteIds.get(marks) ?? []), note.id])
    ignoreFailure(deleteRecords(device, 'notes', [note.id]))
  } else {
    const deletedId = pick(deletedNoteIds.get(marks) ?? [])
    if (deletedId !== undefined) ignoreFailure(restoreRecords(device, 'notes', [deletedId]))
  }
}

/** Returns a sentence for each note on a device that differs from the server's. A device has only some of the notes. */
export function wrongNotes(brand: BrandInDatabase, { person, data }: SimDevice): string[] {
  const onServer = new Map(brand.notes.map((row) => [row.id, `${row.body} ${row.pinned} ${row.version}`]))
  return [...(data?.tables.notes.values() ?? [])].flatMap(({ id, body, pinned, version }) => {
    const shownText = `${body} ${pinned} ${version}`
    return onServer.get(id) === shownText
      ? []
      : [`${person.email}, notes, ${id}: ${shownText} instead of ${onServer.get(id)}`]
  })
}
