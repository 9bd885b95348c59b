import { fieldOf } from '#web/lib/read-unknown.ts'

/**
 * A custom field of a record as edits name it: 'custom.<id of the field>'. So edits, conflicts and undo see one field each. In rows, and
 * in what is sent, these fields are together in the object `custom` (docs/decisions/062).
 */
export type CustomPath = `custom.${string}`

const prefix = 'custom.'

/** The path of a custom field. */
export function customPath(fieldId: string): CustomPath {
  return `custom.${fieldId}`
}

/** The id of the custom field that a path names; null for a column. */
export function customFieldId(field: string): string | null {
  return field.startsWith(prefix) ? field.slice(prefix.length) : null
}

/** A field of a row, or of values by path. */
export function readField(row: unknown, field: string): unknown {
  const id = customFieldId(field)
  if (id === null || (typeof row === 'object' && row !== null && field in row)) return fieldOf(row, field)
  return fieldOf(fieldOf(row, 'custom'), id)
}

/** The row with these values. A custom field with null is removed. */
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

/** Values as they are sent: the custom fields in one merge patch. */
export function asSent(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const patch = customPatch(values)
  return patch ? { ...columnsOf(values), custom: patch } : { ...values }
}

function columnsOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => customFieldId(field) === null))
}

/** The custom fields among these values by id; null where there are none. */
function customPatch(values: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const paths = Object.entries(values).flatMap(([field, value]) => {
    const id = customFieldId(field)
    return id === null ? [] : [[id, value ?? null] as const]
  })
  return paths.length > 0 ? Object.fromEntries(paths) : null
}
