import type { Device } from '#web/data/browser/device.ts'
import { isAnsweredHere } from '#web/data/query/is-answered-here.ts'
import type { Where } from '#web/data/query/list-options.ts'
import { localRows } from '#web/data/query/local-rows.ts'
import { reachable } from '#web/data/server/network.ts'
import type { QueryAnswer, QueryAnswers, QueryRequest } from '#web/data/server/read-queries.ts'
import { rpcWithRetries, type WaitReason } from '#web/data/server/rpc-with-retries.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import {
  linkedTables,
  type LinkedTable,
  localName,
  type MissingLinks,
  missingLinks,
  nameIn,
  namesIn,
} from './export-names.ts'

/** The records to export: those of a list in its order, or those with these ids. */
export interface ExportQuery {
  table: OwnedTable
  search?: string
  /** True to export only the records of the signed-in user. */
  mine?: boolean
  where?: Where | undefined
  order?: string
  ids?: readonly string[]
}

/**
 * Records in the order of the query or of `ids`, and the names of linked records. If the pages come from the server, the new records that wait
 * to be sent are in a page before them.
 */
export interface ExportPage {
  rows: readonly AnyRow[]
  nameOf: (table: LinkedTable, row: AnyRow) => string | null
  /** Number of all records, as far as it is known. */
  total: number
  /** True if the server cannot be reached and this device does not have all the records. */
  isIncomplete: boolean
  /** True if the device is offline and some linked records are not on this device. `nameOf` returns null for these records. */
  lacksNames: boolean
}

interface ExportProgress {
  /** Stops the export between two requests. */
  signal: AbortSignal
  /** Called with the reason before a request is sent again, and with null when the repeated request has succeeded. */
  onWaiting?: (waiting: WaitReason | null) => void
}

const pageSize = 500
/**
 * Yields the records of a query, page by page. The records come from this device if it has all of them and all linked records, else from the server.
 * Each page of the server begins after the sort values of the last record of the page before. Offline, and for given `ids`, yields only the records
 * on this device. For given `ids`, the names of linked records that are not on the device come from the server; offline, they are missing
 * (`lacksNames`). Records with waiting edits are exported as they are on screen. Throws the server's refusal.
 */
export async function* exportPages(
  device: Device,
  { mine = false, ...query }: ExportQuery,
  progress: ExportProgress,
): AsyncGenerator<ExportPage> {
  const data = openBrand(device).get()
  if (!data) return
  const fullQuery = { ...query, where: { ...(mine && { owner_id: data.userId }), ...query.where } }
  const isAllOnDevice = hasAllRecords(data, fullQuery)
  if (query.ids || isAllOnDevice || !reachable(device).get())
    yield* localPages(data, fullQuery, !isAllOnDevice && !query.ids, progress)
  else yield* serverPages(data, fullQuery, progress)
}

/** Whether this device has all records of the query and all records to which they link. */
function hasAllRecords(data: BrandData, { table, search = '', where = {}, order = 'newest' }: ExportQuery): boolean {
  const state = data.state.get()
  const links = linkedTables[table] ?? []
  return isAnsweredHere(data, { table, search, where, order }) && links.every((link) => isComplete(state, link))
}

async function* localPages(
  data: BrandData,
  query: ExportQuery,
  isIncomplete: boolean,
  progress: ExportProgress,
): AsyncGenerator<ExportPage> {
  const { table, ids } = query
  const { search = '', where = {}, order = 'newest' } = query
  const rows: readonly AnyRow[] = ids
    ? ids.flatMap((id) => data.tables[table].get(id) ?? [])
    : localRows(data, { table, search, where, order })
  for (let start = 0; start < rows.length || start === 0; start += pageSize) {
    const pageRows = rows.slice(start, start + pageSize)
    const links = missingLinks(data, table, pageRows)
    const canRead = links.length > 0 && reachable(data.device).get()
    const names = canRead ? await readNames(data, links, progress) : new Map<string, string>()
    const nameOf = (link: LinkedTable, row: AnyRow) => localName(data, link, row) ?? nameIn(names, link, row)
    yield { rows: pageRows, nameOf, total: rows.length, isIncomplete, lacksNames: links.length > 0 && !canRead }
    // Pauses, so that the page stays usable.
    await new Promise<void>((resolve) => data.device.clock.setTimeout(resolve, 0))
  }
}

/** Reads the names of linked records, by id. */
async function readNames(
  data: BrandData,
  links: readonly MissingLinks[],
  progress: ExportProgress,
): Promise<ReadonlyMap<string, string>> {
  const questions = links.map(({ table, ids }) => ({ table, where: { id: ids }, order: 'newest', limit: pageSize }))
  const { answers } = await ask(data, questions, progress)
  return namesIn(Object.fromEntries(links.map(({ table }, index) => [table, answers[index]?.rows ?? []])))
}

/** Sends queries to the server, again and again until the server answers or `signal` is aborted. */
function ask(
  { device, userId, brandId }: BrandData,
  questions: readonly QueryRequest[],
  { signal, onWaiting }: ExportProgress,
): Promise<QueryAnswers> {
  const args = { p_brand_id: brandId, p_queries: questions }
  return rpcWithRetries(device, userId, 'read_queries', args, { signal, onWaiting })
}

async function* serverPages(
  data: BrandData,
  { table, search = '', where = {}, order = 'newest' }: ExportQuery,
  progress: ExportProgress,
): AsyncGenerator<ExportPage> {
  const unsent = unsentNewRows(data, { table, search, where, order })
  const unsentIds = new Set(unsent.map(({ id }) => id))
  if (unsent.length > 0)
    yield {
      rows: unsent,
      nameOf: (link, row) => localName(data, link, row),
      total: unsent.length,
      isIncomplete: false,
      lacksNames: false,
    }
  let after: QueryAnswer['end'] = null
  let total = 0
  while (!progress.signal.aborted) {
    const question = { table, search: search.trim(), where, order, limit: pageSize, after, count: after === null }
    const page = await ask(data, [question], progress)
    const { rows = [], end = null, total: counted }: QueryAnswer = page.answers[0] ?? {}
    if (counted != null) total = counted + unsent.length
    const names = namesIn(page.named)
    const nameOf = (link: LinkedTable, row: AnyRow) => nameIn(names, link, row) ?? localName(data, link, row)
    // The records that were unsent at the start are already exported. If some were sent since, the server returns them too.
    const others = rows.filter(({ id }) => !unsentIds.has(id))
    yield {
      rows: others.flatMap((row) => asOnScreen(data, table, row)),
      nameOf,
      total,
      isIncomplete: false,
      lacksNames: false,
    }
    if (rows.length < pageSize || !end) return
    after = end
  }
}

/** Returns the records of a query that were added on this device and wait to be sent. */
function unsentNewRows(
  data: BrandData,
  query: { table: OwnedTable; search: string; where: Where; order: string },
): readonly AnyRow[] {
  const rows: readonly AnyRow[] = localRows(data, query)
  return rows.filter(({ id }) => data.tables[query.table].serverRow(id) === undefined)
}

/** Returns a record with its waiting edits applied. Empty if its delete waits to be sent. */
function asOnScreen(data: BrandData, table: OwnedTable, row: AnyRow): AnyRow[] {
  const waiting = data.tables[table].operationsOf(row.id)
  const shown = waiting.length > 0 ? data.tables[table].get(row.id) : undefined
  return !shown && waiting.at(-1)?.kind === 'delete' ? [] : [shown ?? row]
}
