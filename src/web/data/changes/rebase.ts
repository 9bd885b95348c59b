import type { AnyRow } from '#web/data/server/tables.ts'
import { same } from './conflict.ts'
import { editsRows, type Operation } from '#web/data/store/operation.ts'

/**
 * The later operations of a row that have to be written anew once an earlier one (`settled`) was applied, set onto what the server has
 * (`row`). Fields that the earlier one wrote count as ours. Where the server shows another value in a field that we did not write,
 * somebody else was there: the version stays as it was, so that the server finds no row and the change is judged instead of overwriting
 * theirs. Only the next one gets its version now: hundreds behind it get theirs from the answer before them.
 */
export function rebased(later: readonly Operation[], settled: Operation, row: AnyRow): Operation[] {
  const now = row as unknown as Record<string, unknown>
  const isOurs = isWrittenBy(settled, row.id, now)
  /** Written by an operation between: its own answer will set those behind it. */
  const between = new Set<string>()
  const out: Operation[] = []
  let isNext = true
  for (const operation of later) {
    if (operation.kind !== 'update' || operation.table !== settled.table || operation.rowId !== row.id) continue
    const fields = Object.keys(operation.values)
    const base = { ...operation.base }
    const written = fields.filter((field) => isOurs(field) && !between.has(field))
    for (const field of written) base[field] = now[field]
    const isSame = written.every((field) => same(base[field], operation.base[field]))
    const untouched = fields.every((field) => between.has(field) || same(base[field], now[field]))
    if (isNext) out.push({ ...operation, base, version: untouched ? row.version : operation.version })
    else if (!isSame) out.push({ ...operation, base })
    isNext = false
    for (const field of fields) between.add(field)
  }
  return out
}

/**
 * Which fields of the row are this operation's work. A new row is all of it; a call may have met a row that was there already, and a
 * restored one may carry a colleague's changes: of these a field counts that is as the person saw it.
 */
function isWrittenBy(settled: Operation, rowId: string, now: Record<string, unknown>): (field: string) => boolean {
  if (editsRows(settled)) return (field) => field in settled.values
  if (settled.kind === 'insert') return () => true
  const seen = settled.kind === 'restore' ? settled.restored?.[rowId] : settled.preview
  return (field) => seen !== undefined && field in seen && same(seen[field], now[field])
}
