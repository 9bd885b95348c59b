import { openBrand } from '../brand-data.ts'
import type { AnyRow } from '../tables.ts'
import type { Operation } from './operation.ts'

export interface Notice {
  text: string
  table: string
  rowId: string
}

const listeners = new Set<(notice: Notice) => void>()

/** Hears what a person should be told though nobody asked. Returns the function that stops it. */
export function hearNotices(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Somebody changed the same after us, and theirs stands: '{name} changed {record} after you'. */
export function noteOvertaken(operation: Operation, theirs: AnyRow): void {
  const member = theirs.updated_by ? openBrand.get()?.tables.memberships.get(theirs.updated_by) : undefined
  const row = theirs as AnyRow & { name?: string; title?: string }
  const record = row.name ?? row.title ?? 'this record'
  const verb = operation.icon === 'move' ? 'moved' : 'changed'
  const text = `${member?.display_name ?? 'A colleague'} ${verb} ${record} after you`
  for (const listener of Array.from(listeners)) listener({ text, table: operation.table, rowId: operation.rowId })
}
