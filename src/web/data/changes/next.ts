import { concerns, editsRows, makesRows, type Operation, rowsOf, shareRow } from '#web/data/store/operation.ts'

/**
 * The operation to send next: the oldest that waits and does not come after one in question on the same row, nor names a row whose
 * making was refused or is in question. Undefined: nothing can be sent now.
 */
export function nextToSend(operations: readonly Operation[]): Operation | undefined {
  return operations.find((operation) => operation.state === 'waiting' && !heldBackBy(operations, operation))
}

/** The earlier operation that has to be decided first, if there is one. */
export function heldBackBy(operations: readonly Operation[], operation: Operation): Operation | undefined {
  for (const earlier of operations) {
    if (earlier.seq >= operation.seq) break
    if (isHeldBy(operation, earlier) && stands(operations, earlier)) return earlier
  }
  return undefined
}

/** Not on its way: to be decided, or behind one that is. A delete that was refused changed nothing, so nothing waits for it. */
function stands(operations: readonly Operation[], earlier: Operation): boolean {
  if (earlier.state !== 'waiting') return earlier.kind !== 'delete'
  return heldBackBy(operations, earlier) !== undefined
}

function isHeldBy(operation: Operation, earlier: Operation): boolean {
  if (makesRows(earlier)) return rowsOf(earlier).some((id) => concerns(operation, id))
  // An edit in question does not keep its record from being deleted: the delete stands.
  if (operation.kind === 'delete' && editsRows(earlier)) return false
  return shareRow(operation, earlier)
}

/** Operations that cannot go on without this one: what follows on a row that it makes, and what names that row. */
export function dependentsOf(operations: readonly Operation[], given: Operation): Operation[] {
  if (!makesRows(given)) return []
  const found = new Set<Operation>()
  for (const operation of operations) {
    if (operation.seq <= given.seq) continue
    const on = [given, ...found].filter(makesRows).flatMap(rowsOf)
    if (on.some((id) => concerns(operation, id))) found.add(operation)
  }
  return [...found]
}
