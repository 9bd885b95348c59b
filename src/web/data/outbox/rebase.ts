import type { AnyRow } from '../tables.ts'
import { same } from './conflict.ts'
import { editsRows, type Operation } from './operation.ts'

/**
 * The later operations of a row, set onto what the server has (`row`) after an earlier one (`settled`) was applied. Fields that the
 * earlier one wrote count as ours. Where the server shows another value in a field that we did not write, somebody else was there: the
 * version stays as it was, so that the server finds no row and the change is judged instead of overwriting theirs.
 */
export function rebased(later: readonly Operation[], settled: Operation, row: AnyRow): Operation[] {
  const now = row as unknown as Record<string, unknown>
  const ours = new Set(Object.keys(editsRows(settled) ? settled.values : now))
  /** Written by an operation between: its own answer will set those behind it. */
  const between = new Set<string>()
  const out: Operation[] = []
  for (const operation of later) {
    if (operation.kind !== 'update' || operation.table !== settled.table || operation.rowId !== row.id) continue
    const fields = Object.keys(operation.values)
    const base = { ...operation.base }
    for (const field of fields) if (ours.has(field) && !between.has(field)) base[field] = now[field]
    const untouched = fields.every((field) => between.has(field) || same(base[field], now[field]))
    out.push({ ...operation, base, version: untouched ? row.version : operation.version })
    for (const field of fields) between.add(field)
  }
  return out
}
