import { refersToRow, editsRows, blockedRowIdsOf, type Operation, haveCommonRow } from '#web/data/store/operation.ts'

/**
 * Returns the operation that should be sent next: the oldest waiting one that no earlier operation blocks. Undefined if nothing can be sent
 * now. If a person has to decide about an operation, it blocks later operations on its row, and later operations that refer to a row that
 * it creates. A refused edit of a row blocks a later edit of the row only if that edit sets some of its fields, but not all of them.
 */
export function nextToSend(operations: readonly Operation[]): Operation | undefined {
  return operations.find((operation) => operation.state === 'waiting' && !blockerOf(operations, operation))
}

/**
 * Returns the first earlier operation that blocks this one: a person has to decide about it, or it is blocked itself. Undefined if there is
 * none.
 */
export function blockerOf(operations: readonly Operation[], operation: Operation): Operation | undefined {
  for (const earlier of operations) {
    if (earlier.seq >= operation.seq) break
    if (dependsOn(operation, earlier) && isBlocking(operations, earlier)) return earlier
  }
  return undefined
}

/**
 * Whether an earlier operation cannot be sent now: a person has to decide about it, or it is itself blocked. A refused delete blocks nothing,
 * because it changed nothing.
 */
function isBlocking(operations: readonly Operation[], earlier: Operation): boolean {
  if (earlier.state !== 'waiting') return earlier.kind !== 'delete'
  return blockerOf(operations, earlier) !== undefined
}

function dependsOn(operation: Operation, earlier: Operation): boolean {
  if (blockedRowIdsOf(earlier).some((id) => refersToRow(operation, id))) return true
  // No edit blocks the delete of its record, not even an edit in conflict. No edit blocks the restore either, because an edit of a deleted record
  // waits for the restore.
  if ((operation.kind === 'delete' || operation.kind === 'restore') && editsRows(earlier)) return false
  return haveCommonRow(operation, earlier) && !isIndependent(operation, earlier)
}

/** Whether the earlier edit was refused, and the later one sets none of its fields, or replaces all of them. */
function isIndependent(operation: Operation, earlier: Operation): boolean {
  if (earlier.state !== 'failed' || !editsRows(earlier) || !editsRows(operation)) return false
  const common = Object.keys(earlier.values).filter((field) => field in operation.values)
  return common.length === 0 || replacesEdit(operation, earlier)
}

/**
 * Whether an edit of a row sets all fields that an earlier, refused edit of the row should have set. That one is then dropped. False if the earlier
 * one has consequences (`also`), because other operations may depend on them.
 */
export function replacesEdit(operation: Operation, earlier: Operation): boolean {
  return (
    earlier.state === 'failed' &&
    earlier.kind === 'update' &&
    operation.kind === 'update' &&
    earlier.seq < operation.seq &&
    earlier.rowId === operation.rowId &&
    !earlier.also &&
    Object.keys(earlier.values).every((field) => field in operation.values)
  )
}

/**
 * Returns the later operations that cannot be sent without the given one: they write or refer to a row that it creates, or that another of
 * these operations creates.
 */
export function dependentsOf(operations: readonly Operation[], given: Operation): Operation[] {
  const dependents = new Set<Operation>()
  for (const operation of operations) {
    if (operation.seq <= given.seq) continue
    const blockedIds = [given, ...dependents].flatMap(blockedRowIdsOf)
    if (blockedIds.some((id) => refersToRow(operation, id))) dependents.add(operation)
  }
  return [...dependents]
}
