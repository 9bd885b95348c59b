import type { Device } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { Query } from './query.ts'
import { rowsOf } from './rows-of.ts'

/** The `limit` of a query for `findRow`. The search may also find other rows, so more than one row is requested. */
export const findRowLimit = 50
/** How long a form waits for the server's answer before it continues with the rows on this device (ms). */
const responseTimeoutMs = 3000

/**
 * Resolves with the row that `lookUp` returns:
 * - If the row is in memory: at once.
 * - If the query's tables are complete: when the rows on this device have been read.
 * - Otherwise: when the server has answered the query, because the rows of the answer are then in the collections. Waits for the answer for at most
 *   3 s, and not at all if the server is unreachable.
 *
 * Resolves with undefined if `lookUp` then returns no row, or if no brand is open.
 */
export function findRow<Table extends TableName, Row>(
  device: Device,
  query: Query<Table>,
  lookUp: (data: BrandData) => Row | undefined,
): Promise<Row | undefined> {
  const data = openBrand(device).get()
  if (!data) return Promise.resolve(undefined)
  const rows = rowsOf(data, query)
  return new Promise((resolve) => {
    const finish = () => {
      stop()
      device.clock.clearTimeout(timer)
      resolve(lookUp(data))
    }
    let isLate = false
    const check = () => {
      // Before the rows of this device have been read, it is not known that the row is missing here.
      if (lookUp(data) || (data.loaded.get() && (isLate || !rows.read().searching || !reachable(device).get())))
        finish()
    }
    const timer = device.clock.setTimeout(() => {
      isLate = true
      check()
    }, responseTimeoutMs)
    const stop = rows.subscribe(check)
    check()
  })
}
