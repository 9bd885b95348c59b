import { concerns, editsRows, madeIdsOf, type Operation, shareRow } from '#web/data/store/operation.ts'

/**
 * The operation to send next: the oldest waiting one that no earlier operation blocks. An operation blocks later ones of its row while a
 * person has to decide about it, and those that refer to a row that it creates. Undefined: nothing can be sent now.
 */
export function nextToSend(operations: readonly Operation[]): Operation | undefined {
  return operations.find((operation) => operation.state === 'waiting' && !blockerOf(operations, operation))
}

/** The earlier operation that a person has to decide about first, if there is one. */
export function blockerOf(operations: readonly Operation[], operation: Operation): Operation | undefined {
  for (const earlier of operations) {
    if (earlier.seq >= operation.seq) break
    if (dependsOn(operation, earlier) && isBlocking(operations, earlier)) return earlier
  }
  return undefined
}

/** Whether it cannot be sent now: it is refused or in conflict, or blocked itself. A refused delete blocks nothing, because it changed nothing. */
function isBlocking(operations: readonly Operation[], earlier: Operation): boolean {
  if (earlier.state !== 'waiting') return earlier.kind !== 'delete'
  return blockerOf(operations, earlier) !== undefined
}

function dependsOn(operation: Operation, earlier: Operation): boolean {
  if (madeIdsOf(earlier).some((id) => concerns(operation, id))) return true
  // An edit in conflict does not block the delete of its record.
  if (operation.kind === 'delete' && editsRows(earlier)) return false
  return shareRow(operation, earlier)
}

/** The later operations that cannot be sent without this one: they write a row that it creates, or refer to it. */
export function dependentsOf(operations: readonly Operation[], given: Operation): Operation[] {
  const dependents = new Set<Operation>()
  for (const operation of operations) {
    if (operation.seq <= given.seq) continue
    const createdIds = [given, ...dependents].flatMap(madeIdsOf)
    if (createdIds.some((id) => concerns(operation, id))) dependents.add(operation)
  }
  return [...dependents]
}
