import { concerns, editsRows, createdIdsOf, type Operation, shareRow } from '#web/data/store/operation.ts'

/**
 * Returns the operation to send next: the oldest waiting one that no earlier operation blocks. An operation blocks later operations on its row
 * while a person has to decide about it, and operations that refer to a row that it creates. Undefined if nothing can be sent now.
 */
export function nextToSend(operations: readonly Operation[]): Operation | undefined {
  return operations.find((operation) => operation.state === 'waiting' && !blockerOf(operations, operation))
}

/** Returns the earlier operation that a person has to decide about first, if there is one. */
export function blockerOf(operations: readonly Operation[], operation: Operation): Operation | undefined {
  for (const earlier of operations) {
    if (earlier.seq >= operation.seq) break
    if (dependsOn(operation, earlier) && isBlocking(operations, earlier)) return earlier
  }
  return undefined
}

/**
 * Whether the earlier operation cannot be sent now: it is refused, in conflict, or blocked itself. A refused delete blocks nothing,
 * because it changed nothing.
 */
function isBlocking(operations: readonly Operation[], earlier: Operation): boolean {
  if (earlier.state !== 'waiting') return earlier.kind !== 'delete'
  return blockerOf(operations, earlier) !== undefined
}

function dependsOn(operation: Operation, earlier: Operation): boolean {
  if (createdIdsOf(earlier).some((id) => concerns(operation, id))) return true
  // An edit in conflict does not block the delete of its record.
  if (operation.kind === 'delete' && editsRows(earlier)) return false
  return shareRow(operation, earlier)
}

/** Returns the later operations that cannot be sent without this one: they write a row that it creates, or refer to it. */
export function dependentsOf(operations: readonly Operation[], given: Operation): Operation[] {
  const dependents = new Set<Operation>()
  for (const operation of operations) {
    if (operation.seq <= given.seq) continue
    const createdIds = [given, ...dependents].flatMap(createdIdsOf)
    if (createdIds.some((id) => concerns(operation, id))) dependents.add(operation)
  }
  return [...dependents]
}
