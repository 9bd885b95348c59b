/** Functions that read unchecked values: stored JSON, messages from other tabs, replies. */

/** Returns a field of an object. Undefined if the value is not an object or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Returns a field of an object if it is a text, otherwise null. */
export function textOf(value: unknown, name: string): string | null {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : null
}

/** Returns a field of an object if it is a number, otherwise null. */
export function numberOf(value: unknown, name: string): number | null {
  const field = fieldOf(value, name)
  return typeof field === 'number' ? field : null
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
