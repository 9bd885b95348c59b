import type { Device } from '#web/data/browser/device.ts'
import { useMemo } from 'react'
import { askServer } from '#web/data/server/ask-server.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { withoutDeleted } from '#web/data/store/deletions.ts'
import { isAnswerOutdated, isComplete } from '#web/data/store/brand-state.ts'
import { type Observable, observable } from '#web/lib/observable.ts'
import { reachable } from '#web/data/server/network.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { fetchReferences } from './fetch-references.ts'
import { readRows } from '#web/data/server/rest-page.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import type { TableRows } from '#web/data/server/tables.ts'
import { useView } from './use-view.ts'
import { sourceOfObservable, type View, view } from './view.ts'

interface FoundRecord<Table extends RecordTable> {
  /** False while it is not known whether the record exists: show a skeleton. */
  ready: boolean
  row: TableRows[Table] | null
  /**
   * True if the record does not exist or the user may not see it: the id is not a UUID, the record was deleted or removed from this device,
   * the server does not return it, or the server did not answer but the table is complete on this device and does not contain it.
   */
  missing: boolean
}

/**
 * Returns the record with this id. If the record is not on this device, it is requested once from the server. A record is not on this device,
 * for example, if its table is windowed or if it was created a moment ago. Without an id, there is no record, and none is missing.
 */
export function useRecord<Table extends RecordTable>(table: Table, id: string | null): FoundRecord<Table> {
  const make = useMemo(() => (data: BrandData, key: string) => recordView(data, table, key), [table])
  return useView(make, id ?? '', unknownRecord as FoundRecord<Table>)
}

const unknownRecord = { ready: false, row: null, missing: false }
const noRecord = { ready: true, row: null, missing: false }
const missingRecord = { ready: true, row: null, missing: true }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Creates the view that `useRecord` reads. */
export function recordView<Table extends RecordTable>(
  data: BrandData,
  table: Table,
  id: string,
): View<FoundRecord<Table>> {
  const rows = data.tables[table]
  /**
   * The state of the request for the record: 'asking' while it is on its way, 'missing' if the server does not return the record, 'silent' if no
   * answer came. Null if no request was sent, or if the server has returned the record.
   */
  const requestState = observable<'asking' | 'missing' | 'silent' | null>(null)
  const sources = [
    rows,
    sourceOfObservable(data.loaded),
    sourceOfObservable(data.state),
    sourceOfObservable(requestState),
  ]
  const inner = view<FoundRecord<Table>>(sources, (previous) => {
    const row = id ? rows.get(id) : undefined
    if (row) return previous?.row === row ? previous : { ready: true, row, missing: false }
    if (!id) return noRecord
    // The record is gone if this view has shown it before, if it was deleted a moment ago, or if its delete waits to be sent.
    const isGone = previous?.row || previous?.missing || data.recentlyDeleted.has(id) || rows.isWaiting(id)
    if (isGone || !uuid.test(id) || requestState.get() === 'missing') return missingRecord
    const isKnownHere = data.loaded.get() && isComplete(data.state.get(), table)
    return isKnownHere && requestState.get() === 'silent' ? missingRecord : unknownRecord
  })
  return {
    read: inner.read,
    subscribe: (listener) => {
      const fetchMissing = () => {
        const row = rows.get(id)
        if (row) fetchReferences(data, table, [row])
        else if (data.loaded.get() && uuid.test(id) && !rows.isWaiting(id))
          void requestRecord(data, table, id, requestState)
      }
      const stops = [
        inner.subscribe(listener),
        rows.subscribe(fetchMissing),
        data.loaded.subscribe(fetchMissing),
        reachable(data.device).subscribe(fetchMissing),
      ]
      fetchMissing()
      return () => stops.forEach((stop) => stop())
    },
  }
}

async function requestRecord(
  data: BrandData,
  table: RecordTable,
  id: string,
  requestState: Observable<'asking' | 'missing' | 'silent' | null>,
): Promise<void> {
  if (requestState.get() === 'asking' || requestState.get() === 'missing') return
  requestState.set('asking')
  const before = data.state.get()
  try {
    const found = await readRows(data.device, data.userId, data.brandId, table, [id])
    if (isAnswerOutdated(before, data.state.get(), table)) {
      requestState.set(null)
      return await requestRecord(data, table, id, requestState)
    }
    const existing = withoutDeleted(data, found)
    await storeRows(data.device, { userId: data.userId, brandId: data.brandId, table, rows: existing })
    requestState.set(existing.length > 0 ? null : 'missing')
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    requestState.set(error.isTemporary ? 'silent' : 'missing')
  }
}

/**
 * Asks the server to which of the user's brands a record belongs, for a link into another brand. Returns null if the user may not see the
 * record, if the server did not answer, if no brand is open, or if the id is not a UUID.
 */
export async function brandOfRecord(device: Device, table: RecordTable, id: string): Promise<string | null> {
  const userId = openBrand(device).get()?.userId
  if (!userId || !uuid.test(id)) return null
  const { data } = await askServer(
    device,
    (server) => server.from(table).select('brand_id').eq('id', id).limit(1),
    userId,
  )
  const [found] = (data ?? []) as { brand_id: string }[]
  return found?.brand_id ?? null
}
