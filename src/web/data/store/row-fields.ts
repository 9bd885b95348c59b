import { fieldOf } from '#web/lib/read-unknown.ts'

/**
 * The path that names a custom field in edits: 'custom.<id of the field>'. With it, edits, conflicts and undo treat each custom field
 * separately. In rows and requests, all custom fields are together in the object `custom` (docs/decisions/062).
 */
export type CustomPath = `custom.${string}`

const customPrefix = 'custom.'

/** Returns the path of the custom field with this id. */
export function customPath(fieldId: string): CustomPath {
  return `custom.${fieldId}`
}

/** Returns the id of the custom field that a path names. Null if `field` is a column. */
export function customFieldId(field: string): string | null {
  return field.startsWith(customPrefix) ? field.slice(customPrefix.length) : null
}

/** Returns the value of a column or a custom field. `row` is a row, or an object with values by column and path. */
export function readField(row: unknown, field: string): unknown {
  const id = customFieldId(field)
  if (id === null || (typeof row === 'object' && row !== null && field in row)) return fieldOf(row, field)
  return fieldOf(fieldOf(row, 'custom'), id)
}

/** Returns a row in which these values replace the earlier ones. A custom field whose new value is null is removed. */
export function withFields(
  row: object | undefined,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...row, ...columnsOf(values) }
  const patch = customPatch(values)
  if (!patch) return merged
  const custom = { ...Object(fieldOf(merged, 'custom')), ...patch }
  return { ...merged, custom: Object.fromEntries(Object.entries(custom).filter(([, value]) => value !== null)) }
}

/** Returns values in the form in which they are sent to the server: all custom fields are in one merge patch, `custom`. */
export function valuesToSend(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const patch = customPatch(values)
  return patch ? { ...columnsOf(values), custom: patch } : { ...values }
}

function columnsOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => customFieldId(field) === null))
}

/** Returns the custom fields among these values, by field id. Null if there are none. */
function customPatch(values: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const valuesById = Object.entries(values).flatMap(([field, value]) => {
    const id = customFieldId(field)
    return id === null ? [] : [[id, value ?? null] as const]
  })
  return valuesById.length > 0 ? Object.fromEntries(valuesById) : null
}
