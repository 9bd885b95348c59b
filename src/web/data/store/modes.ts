import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { TableName } from '#web/data/server/tables.ts'

/**
 * Which rows of a table are on this device. complete: all rows. windowed: only the pages and search results that were fetched. Only this
 * file decides the mode. Screens do not depend on it (docs/offline.md).
 */
export type Mode = 'complete' | 'windowed'

/** Maximum numbers of rows of a device's complete tables, per brand. A table with more rows is windowed. Tests lower these numbers. */
export const maxCompleteRows = devicePart(
  (): Partial<Record<TableName, number>> => ({
    pipelines: Number.POSITIVE_INFINITY,
    deal_stages: Number.POSITIVE_INFINITY,
    memberships: Number.POSITIVE_INFINITY,
    custom_fields: Number.POSITIVE_INFINITY,
    deals: 20_000,
    tasks: 20_000,
    // Notes are always windowed: a record's timeline is fetched when it is shown.
    notes: -1,
  }),
)

/** The maximum number of rows for all tables that `maxCompleteRows` does not list. */
const defaultMaxCompleteRows = 10_000

/**
 * Returns the mode, on a device, of a table that has `count` rows in the brand. A windowed table becomes complete again only if it has at most 90 %
 * of the maximum.
 */
export function modeFor(device: Device, table: TableName, count: number, current: Mode | null): Mode {
  const maxRows = maxCompleteRows(device)[table] ?? defaultMaxCompleteRows
  const limit = current === 'windowed' ? maxRows * 0.9 : maxRows
  return count <= limit ? 'complete' : 'windowed'
}
