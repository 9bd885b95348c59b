import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { BrandData } from './brand-data.ts'

/** The deleted rows that an open brand remembers: `recentlyDeleted` of `BrandData`. */
interface RememberedDeletions {
  recentlyDeleted: Map<string, number>
}

/**
 * The ids of rows that the server has deleted, each with the last version that the deleted row had. A row with a higher version was restored since.
 * Undefined: that version is not known, so every version counts as deleted.
 */
export type DeletedVersions = ReadonlyMap<string, number | undefined>

/** Returns deletions of the rows with these ids, without a version: every version of these rows counts as deleted. */
export function inAnyVersion(ids: Iterable<string>): DeletedVersions {
  return new Map(Array.from(ids, (id) => [id, undefined]))
}

/** Whether this row was restored since the deletion. */
export function isRestored(row: AnyRow | undefined, deleted: DeletedVersions): boolean {
  return row !== undefined && row.version > (deleted.get(row.id) ?? Number.POSITIVE_INFINITY)
}

/**
 * Records the deletions of rows of an open brand. Leaves out rows that were restored since. If the deleted version is not known, records the
 * version on this device.
 */
export function recordDeletions(data: BrandData, table: TableName, deleted: DeletedVersions): void {
  for (const [id, version] of deleted) {
    const row = data.tables[table].serverRow(id)
    if (!isRestored(row, deleted)) recordDeletion(data, id, version ?? row?.version)
  }
}

/** Records that a row was deleted on the server. `version`: its last version, if it is known. */
export function recordDeletion({ recentlyDeleted }: RememberedDeletions, id: string, version = 0): void {
  recentlyDeleted.set(id, Math.max(version, recentlyDeleted.get(id) ?? 0))
}

/**
 * Returns the rows of an answer that were not deleted or are newer than their deletion. A row that is newer was restored since, so its
 * id is removed from `recentlyDeleted`.
 */
export function withoutDeleted<Row extends AnyRow>(
  { recentlyDeleted }: RememberedDeletions,
  rows: readonly Row[],
): readonly Row[] {
  if (recentlyDeleted.size === 0) return rows
  return rows.filter(({ id, version }) => {
    if (version <= (recentlyDeleted.get(id) ?? -1)) return false
    recentlyDeleted.delete(id)
    return true
  })
}
