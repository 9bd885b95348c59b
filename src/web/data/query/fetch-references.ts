import type { Timer } from '#web/data/browser/surroundings.ts'
import { readRows } from '#web/data/server/rest-page.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { isListRead } from './is-answered-here.ts'

/** Maximum number of ids per request. The URL of such a request has 3.7 kB. */
const idsPerRequest = 100
/** Ids that are wanted within this time go into one request (ms). */
const gatherMs = 20
/** After a failure, the same ids may be requested again after this time (ms). */
const retryAfterMs = 5000

interface References {
  /** The ids that were already requested. */
  requested: Set<string>
  /** The ids that the next request will ask for, by table. */
  wanted: Map<TableName, Set<string>>
  timer: Timer | undefined
}

const referencesOf = perBrand((): References => ({ requested: new Set(), wanted: new Map(), timer: undefined }))

/**
 * Fetches the rows that the given rows refer to, such as a deal's contact. Fetches only rows of windowed tables that are not on this
 * device, and each only once, unless the request failed. Does nothing until the rows that lists of `table` show have been read. The
 * collections notify their subscribers when the fetched rows arrive.
 */
export function fetchReferences<Table extends TableName>(
  data: BrandData,
  table: Table,
  rows: readonly TableRows[Table][],
): void {
  const { references } = data.definitions[table]
  if (!references || !isListRead(data, table)) return
  for (const [column, target] of Object.entries(references) as [keyof TableRows[Table], TableName][]) {
    if (data.state.get().tables[target]?.mode !== 'windowed') continue
    for (const row of rows) {
      const id = row[column]
      if (typeof id === 'string' && !data.tables[target].get(id)) wantRow(data, target, id)
    }
  }
}

function wantRow(data: BrandData, table: TableName, id: string): void {
  const references = referencesOf(data)
  if (references.requested.has(id)) return
  references.requested.add(id)
  const ids = references.wanted.get(table) ?? new Set<string>()
  references.wanted.set(table, ids.add(id))
  references.timer ??= data.device.clock.setTimeout(() => {
    references.timer = undefined
    const wanted = [...references.wanted]
    references.wanted.clear()
    for (const [target, tableIds] of wanted) void fetchRows(data, target, [...tableIds])
  }, gatherMs)
}

async function fetchRows(data: BrandData, table: TableName, ids: readonly string[]): Promise<void> {
  const { userId, brandId } = data
  for (let start = 0; start < ids.length; start += idsPerRequest) {
    const chunk = ids.slice(start, start + idsPerRequest)
    try {
      const rows = await readRows(data.device, userId, brandId, table, chunk)
      await storeRows(data.device, { userId, brandId, table, rows })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      data.device.clock.setTimeout(() => chunk.forEach((id) => referencesOf(data).requested.delete(id)), retryAfterMs)
    }
  }
}
