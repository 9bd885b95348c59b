import { randomUUID } from 'node:crypto'
import { placeOf } from './act-brands.ts'
import { type Act, inBrand, judge } from './attempt.ts'
import { isMember, newMarker } from './world.ts'
import { hasChanged, isDone } from './wire.ts'

/** Tables with records, and their text column. */
const textColumns = { companies: 'name', contacts: 'first_name', tasks: 'title' } as const
const recordTables = Object.keys(textColumns) as (keyof typeof textColumns)[]

export const recordActs = {
  async 'create record'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const table = recordTables[step.which % recordTables.length] ?? 'tasks'
    const marker = newMarker(world, {
      what: `a record of ${placeOf(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const body = {
      id,
      brand_id: brand.id,
      [textColumns[table]]: marker,
      ...(table === 'contacts' ? { email: `${marker}@x.example` } : {}),
    }
    const answer = await world.site.wire.rest('POST', table, { token: session.token, body })
    const what = `${session.name} writes one of the ${table} of ${placeOf(world, brand)}`
    if (judge(world, step, { what, isAllowed: isMember(session, brand), isDone: isDone(answer) }))
      brand.records.push({ id, table, marker, isDeleted: false })
  },

  async 'delete record'(world, step) {
    const found = inBrand(world, step, ({ records }) => records.some(({ isDeleted }) => !isDeleted))
    if (!found) return
    const { session, brand } = found
    const record = brand.records.find(({ isDeleted }) => !isDeleted)
    if (record === undefined) return
    const path = `${record.table}?brand_id=eq.${brand.id}&id=eq.${record.id}`
    const answer = await world.site.wire.rest('DELETE', path, { token: session.token, withRows: true })
    const what = `${session.name} deletes a record of ${placeOf(world, brand)}`
    if (judge(world, step, { what, isAllowed: isMember(session, brand), isDone: hasChanged(answer) }))
      record.isDeleted = true
  },

  async 'restore record'(world, step) {
    const found = inBrand(world, step, ({ records }) => records.some(({ isDeleted }) => isDeleted))
    if (!found) return
    const { session, brand } = found
    const record = brand.records.find(({ isDeleted }) => isDeleted)
    if (record === undefined) return
    const values = { p_brand_id: brand.id, p_table: record.table, p_ids: [record.id] }
    const answer = await world.site.wire.rpc('restore_records', values, { token: session.token })
    const what = `${session.name} brings back a record of ${placeOf(world, brand)}`
    if (judge(world, step, { what, isAllowed: isMember(session, brand), isDone: isDone(answer) }))
      record.isDeleted = false
  },
} satisfies Record<string, Act>
