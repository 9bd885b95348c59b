import { randomUUID } from 'node:crypto'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt } from './attempt.ts'
import { type Brand, isMember, newMarker, type Note, roleOf } from './world.ts'
import { hasRows, isSuccess } from './api-client.ts'

const linkColumns: Readonly<Record<string, string>> = { contacts: 'contact_id', companies: 'company_id' }

/** Returns the notes that exist: a note is deleted and restored together with its record. */
const presentNotes = ({ notes }: Brand): Note[] => notes.filter((note) => !note.isDeleted && !note.record.isDeleted)
const linkableRecords = ({ records }: Brand) =>
  records.filter(({ table, isDeleted }) => !isDeleted && table in linkColumns)

export const noteActions = {
  async 'write note'(world, step) {
    const selection = sessionAndBrand(world, step, (brand) => linkableRecords(brand).length > 0)
    if (!selection) return
    const { session, brand } = selection
    const record = linkableRecords(brand)[step.itemIndex % linkableRecords(brand).length]
    if (record === undefined) return
    const marker = newMarker(world, {
      what: `a note of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const body = { id, brand_id: brand.id, body: marker, [linkColumns[record.table] ?? '']: record.id }
    const response = await world.site.api.rest('POST', 'notes', { token: session.token, body })
    const sentence = `${session.name} writes a note in ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed: isMember(session, brand), isDone: isSuccess(response) }))
      brand.notes.push({ id, author: session.account, record, isDeleted: false })
  },

  async 'change note'(world, step) {
    const selection = sessionAndBrand(world, step, (brand) => presentNotes(brand).length > 0)
    if (!selection) return
    const { session, brand } = selection
    const note = presentNotes(brand)[step.itemIndex % presentNotes(brand).length]
    if (note === undefined) return
    const body = newMarker(world, {
      what: `a note of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const path = `notes?brand_id=eq.${brand.id}&id=eq.${note.id}`
    const response = await world.site.api.rest('PATCH', path, { token: session.token, body: { body }, withRows: true })
    const sentence = `${session.name} changes a note of ${note.author.name} in ${brandLabel(world, brand)}`
    const isAllowed = isMember(session, brand) && note.author === session.account
    judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) })
  },

  async 'delete note'(world, step) {
    const selection = sessionAndBrand(world, step, (brand) => presentNotes(brand).length > 0)
    if (!selection) return
    const { session, brand } = selection
    const note = presentNotes(brand)[step.itemIndex % presentNotes(brand).length]
    if (note === undefined) return
    const path = `notes?brand_id=eq.${brand.id}&id=eq.${note.id}`
    const response = await world.site.api.rest('DELETE', path, { token: session.token, withRows: true })
    const sentence = `${session.name} deletes a note of ${note.author.name} in ${brandLabel(world, brand)}`
    const mayDeleteAny = ['admin', 'owner'].includes(roleOf(session, brand) ?? '')
    const isAllowed = isMember(session, brand) && (mayDeleteAny || note.author === session.account)
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) })) note.isDeleted = true
  },
} satisfies Record<string, Action>
