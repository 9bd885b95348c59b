import type { AnyRow } from '#web/data/server/tables.ts'
import type { DeletedVersions } from '#web/data/store/deletions.ts'
import type { FieldConflict, Operation } from '#web/data/store/operation.ts'
import type { SendManyResult } from './send-many.ts'

/** When somebody else, or another device of the user, has changed a row, and who. Null if not known. */
export type OtherChange = Pick<Operation, 'theirsAt' | 'theirsBy'>

/** The result of an attempt to send an operation. */
export type SendResult =
  /**
   * The server has applied the operation. `row`: the server row, or undefined if it was deleted since. `rowId`: the id of the row on the server.
   * `overtakenBy`: the row with a later value that stays, and in `updated_by` the author of this value. `wasReadLater`: the row was read after the
   * write, so that others may have changed it since.
   */
  | { kind: 'settled'; rowId: string; row: AnyRow | undefined; overtakenBy: AnyRow | null; wasReadLater?: true }
  /** The row's version is now known, or has changed. `operation` is the update for that version, to be sent next. */
  | { kind: 'resend'; operation: Operation }
  /** Somebody else changed the same fields, so the user has to decide. `row` is the server row. */
  | ({ kind: 'conflict'; conflicts: readonly FieldConflict[]; row: AnyRow } & OtherChange)
  /** The record whose id is in `deleted` was deleted. `by` and `at` are null if the server does not return them. */
  | { kind: 'deleted-elsewhere'; deleted: DeletedVersions; by: string | null; at: string | null }
  | SendManyResult
