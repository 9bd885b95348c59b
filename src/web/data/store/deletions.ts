import type { AnyRow } from '#web/data/server/tables.ts'

/** The deleted rows that an open brand remembers: `recentlyDeleted` of `BrandData`. */
interface Deletions {
  recentlyDeleted: Map<string, number>
}

/** Records that a row was deleted on the server. `version`: its last version, if it is known. */
export function recordDeletion({ recentlyDeleted }: Deletions, id: string, version = 0): void {
  recentlyDeleted.set(id, Math.max(version, recentlyDeleted.get(id) ?? 0))
}

/**
 * Returns the rows of an answer that were not deleted or are newer than their deletion. A row that is newer was restored since, so its
 * deletion is forgotten.
 */
export function withoutDeleted<Row extends AnyRow>(
  { recentlyDeleted }: Deletions,
  rows: readonly Row[],
): readonly Row[] {
  if (recentlyDeleted.size === 0) return rows
  return rows.filter(({ id, version }) => {
    if (version <= (recentlyDeleted.get(id) ?? -1)) return false
    recentlyDeleted.delete(id)
    return true
  })
}
