import type { AnyRow } from '#web/data/server/tables.ts'
import { editsRows, type Operation, rowsOf } from './operation.ts'

/**
 * The row as screens see it: the server's with the waiting operations of that row (`id`) laid over it, in order. What was refused or
 * is in question is left out: its preview is taken back.
 */
export function overlaid<Row extends AnyRow>(
  id: string,
  row: Row | undefined,
  operations: readonly Operation[],
): Row | undefined {
  let seen = row
  for (const operation of operations) {
    if (operation.state !== 'waiting') continue
    if (operation.kind === 'delete') {
      seen = undefined
      continue
    }
    if (operation.kind === 'restore') {
      seen ??= operation.restored?.[id] as unknown as Row | undefined
      continue
    }
    // A call may have been merged into a row that is here already (an e-mail that exists): the preview goes on top of it.
    if (editsRows(operation) && !seen) continue
    seen = { ...seen, ...operation.preview } as unknown as Row
  }
  return seen
}

/** The operations by row of one table and brand, in order of sending: what `Collection.overlay` takes. */
export function byRow(operations: readonly Operation[], brandId: string, table: string): Map<string, Operation[]> {
  const rows = new Map<string, Operation[]>()
  for (const operation of operations) {
    if (operation.brandId !== brandId || operation.table !== table || operation.state !== 'waiting') continue
    for (const id of rowsOf(operation)) {
      const list = rows.get(id)
      if (list) list.push(operation)
      else rows.set(id, [operation])
    }
  }
  return rows
}

/** Whether two lists of operations of a row show the same of it. */
export function showTheSame(some: readonly Operation[] = [], others: readonly Operation[] = []): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index]
      return other && one.id === other.id && one.state === other.state && isSame(one.preview, other.preview)
    })
  )
}

function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const fields = Object.keys(one)
  return fields.length === Object.keys(other).length && fields.every((field) => Object.is(one[field], other[field]))
}
