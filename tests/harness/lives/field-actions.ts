import { randomUUID } from 'node:crypto'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt } from './attempt.ts'
import { hasRows, isSuccess } from './api-client.ts'
import { type Brand, isMember, newMarker, roleOf } from './world.ts'

const tables = ['companies', 'contacts', 'deals']

/** Returns the fields whose table has a record that is not deleted, each with the first such record. */
function fieldsWithRecord({ fields, records }: Brand) {
  return fields.flatMap((field) => {
    const record = records.find(({ table, isDeleted }) => table === field.table && !isDeleted)
    return record ? [[field, record] as const] : []
  })
}

export const fieldActions = {
  async 'define field'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const table = tables[step.itemIndex % tables.length] ?? 'deals'
    const marker = newMarker(world, {
      what: `a field of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const body = { id, brand_id: brand.id, table, label: marker, type: 'text' }
    const response = await world.site.api.rest('POST', 'custom_fields', { token: session.token, body })
    const role = roleOf(session, brand)
    const sentence = `${session.name} adds a field of ${table} of ${brandLabel(world, brand)}`
    const isAllowed = role === 'admin' || role === 'owner'
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) }))
      brand.fields.push({ id, table })
  },

  async 'fill field'(world, step) {
    const selection = sessionAndBrand(world, step, (brand) => fieldsWithRecord(brand).length > 0)
    if (!selection) return
    const { session, brand } = selection
    const fillable = fieldsWithRecord(brand)
    const [field, record] = fillable[step.itemIndex % fillable.length] ?? []
    if (field === undefined || record === undefined) return
    const marker = newMarker(world, {
      what: `a value of a field of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const path = `${record.table}?brand_id=eq.${brand.id}&id=eq.${record.id}`
    const body = { custom: { [field.id]: marker } }
    const response = await world.site.api.rest('PATCH', path, { token: session.token, body, withRows: true })
    const sentence = `${session.name} fills a field of a record of ${brandLabel(world, brand)}`
    judgeAttempt(world, step, { what: sentence, isAllowed: isMember(session, brand), isDone: hasRows(response) })
  },
} satisfies Record<string, Action>
