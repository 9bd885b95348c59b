import { concerns, type Operation } from './operation.ts'

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
    const stands = earlier.state !== 'waiting' || heldBackBy(operations, earlier) !== undefined
    if (stands && concerns(operation, earlier.rowId) && (makes(earlier) || earlier.rowId === operation.rowId))
      return earlier
  }
  return undefined
}

/** Operations that cannot go on without this one: what follows on a row that it makes, and what names that row. */
export function dependentsOf(operations: readonly Operation[], given: Operation): Operation[] {
  if (!makes(given)) return []
  const found = new Set<Operation>()
  for (const operation of operations) {
    if (operation.seq <= given.seq) continue
    const direct = concerns(operation, given.rowId)
    const indirect = [...found].some((other) => makes(other) && concerns(operation, other.rowId))
    if (direct || indirect) found.add(operation)
  }
  return [...found]
}

function makes(operation: Operation): boolean {
  return operation.kind !== 'update'
}
