import { withFields } from './row-fields.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { editsRows, type Operation, rowIdsOf } from './operation.ts'
import { shownEdit } from './set-edit.ts'

/**
 * Returns the preview of a row: the server row, changed by its operations with the state `waiting`, in order. Other operations, such as
 * refused ones, are left out. Undefined if the row does not exist, or if an operation deletes it.
 */
export function previewOf<Row extends AnyRow>(
  id: string,
  row: Row | undefined,
  operations: readonly Operation[],
): Row | undefined {
  let preview = row
  for (const operation of operations) {
    if (operation.state !== 'waiting') continue
    const alsoRow = operation.also?.[id]
    if (operation.kind === 'delete' || alsoRow === null) {
      preview = undefined
      continue
    }
    if (operation.kind === 'restore' || alsoRow) {
      preview ??= (alsoRow ?? operation.restored?.[id]) as Row | undefined
      continue
    }
    // An RPC (`call`) may change an existing row, such as a contact with the same email address. So the preview of the operation is applied to that
    // row. If the row was deleted since, that preview has only some fields of a row, so it is not shown.
    if (!preview && (editsRows(operation) || !('id' in operation.preview))) continue
    preview = withFields(preview, shownEdit(preview, operation.preview)) as Row
  }
  return preview
}

/**
 * Returns the waiting operations of one table and brand by row id, in the order of sending. `Collection.setOperations` takes them in this
 * form.
 */
export function operationsByRow(
  operations: readonly Operation[],
  brandId: string,
  table: string,
): Map<string, Operation[]> {
  const rows = new Map<string, Operation[]>()
  for (const operation of operations) {
    if (operation.brandId !== brandId || operation.table !== table || operation.state !== 'waiting') continue
    for (const id of [...rowIdsOf(operation), ...Object.keys(operation.also ?? {})]) {
      const list = rows.get(id)
      if (list) list.push(operation)
      else rows.set(id, [operation])
    }
  }
  return rows
}

/** Whether two lists of operations on a row have the same effect on its preview. */
export function hasSamePreview(operations: readonly Operation[] = [], others: readonly Operation[] = []): boolean {
  return (
    operations.length === others.length &&
    operations.every((one, index) => {
      const other = others[index]
      return other && one.id === other.id && one.state === other.state && isSamePreview(one.preview, other.preview)
    })
  )
}

function isSamePreview(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const fields = Object.keys(one)
  return fields.length === Object.keys(other).length && fields.every((field) => isSameJson(one[field], other[field]))
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
}
