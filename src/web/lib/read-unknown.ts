/**
 * Readers for values that nothing has checked yet: stored JSON, messages of other tabs, replies. What is missing or of another type is null,
 * or an empty list.
 */

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

export function textOf(value: unknown, name: string): string | null {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : null
}

export function numberOf(value: unknown, name: string): number | null {
  const field = fieldOf(value, name)
  return typeof field === 'number' ? field : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
