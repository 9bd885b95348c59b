import { randomUUID } from 'node:crypto'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt } from './attempt.ts'
import { isMember, newMarker } from './world.ts'
import { hasRows, isSuccess } from './api-client.ts'

/** The column in which a life writes its text, for each table of records. */
const textColumns = { companies: 'name', contacts: 'first_name', tasks: 'title' } as const
const recordTables = Object.keys(textColumns) as (keyof typeof textColumns)[]

export const recordActions = {
  async 'create record'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const table = recordTables[step.itemIndex % recordTables.length] ?? 'tasks'
    const marker = newMarker(world, {
      what: `a record of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const body = {
      id,
      brand_id: brand.id,
      [textColumns[table]]: marker,
      ...(table === 'contacts' ? { email: `${marker}@x.example` } : {}),
    }
    const response = await world.site.api.rest('POST', table, { token: session.token, body })
    const sentence = `${session.name} adds to the ${table} of ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed: isMember(session, brand), isDone: isSuccess(response) }))
      brand.records.push({ id, table, marker, isDeleted: false })
  },

  async 'delete record'(world, step) {
    const selection = sessionAndBrand(world, step, ({ records }) => records.some(({ isDeleted }) => !isDeleted))
    if (!selection) return
    const { session, brand } = selection
    const record = brand.records.find(({ isDeleted }) => !isDeleted)
    if (record === undefined) return
    const path = `${record.table}?brand_id=eq.${brand.id}&id=eq.${record.id}`
    const response = await world.site.api.rest('DELETE', path, { token: session.token, withRows: true })
    const sentence = `${session.name} deletes a record of ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed: isMember(session, brand), isDone: hasRows(response) }))
      record.isDeleted = true
  },

  async 'restore record'(world, step) {
    const selection = sessionAndBrand(world, step, ({ records }) => records.some(({ isDeleted }) => isDeleted))
    if (!selection) return
    const { session, brand } = selection
    const record = brand.records.find(({ isDeleted }) => isDeleted)
    if (record === undefined) return
    const values = { p_brand_id: brand.id, p_table: record.table, p_ids: [record.id] }
    const response = await world.site.api.rpc('restore_records', values, { token: session.token })
    const sentence = `${session.name} restores a record of ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed: isMember(session, brand), isDone: isSuccess(response) }))
      record.isDeleted = false
  },
} satisfies Record<string, Action>
