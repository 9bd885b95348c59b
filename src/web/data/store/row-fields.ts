import { fieldOf } from '#web/lib/read-unknown.ts'

/**
 * The name of a custom field in edits: 'custom.<id of the field>'. So edits, conflicts and undo treat each field separately. In rows, and in
 * requests, these fields are together in the object `custom` (docs/decisions/062).
 */
export type CustomPath = `custom.${string}`

const prefix = 'custom.'

/** Returns the path of a custom field. */
export function customPath(fieldId: string): CustomPath {
  return `custom.${fieldId}`
}

/** Returns the id of the custom field that a path names. Null for a column. */
export function customFieldId(field: string): string | null {
  return field.startsWith(prefix) ? field.slice(prefix.length) : null
}

/** Reads a field of a row, or of values by path. */
export function readField(row: unknown, field: string): unknown {
  const id = customFieldId(field)
  if (id === null || (typeof row === 'object' && row !== null && field in row)) return fieldOf(row, field)
  return fieldOf(fieldOf(row, 'custom'), id)
}

/** Returns the row with these values. A custom field with null is removed. */
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

/** Returns the values as they are sent: the custom fields in one merge patch. */
export function valuesToSend(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const patch = customPatch(values)
  return patch ? { ...columnsOf(values), custom: patch } : { ...values }
}

function columnsOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => customFieldId(field) === null))
}

/** Returns the custom fields among these values, by id. Null if there are none. */
function customPatch(values: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const paths = Object.entries(values).flatMap(([field, value]) => {
    const id = customFieldId(field)
    return id === null ? [] : [[id, value ?? null] as const]
  })
  return paths.length > 0 ? Object.fromEntries(paths) : null
}
