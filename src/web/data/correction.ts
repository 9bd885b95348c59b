import { useBrandData } from './engine.ts'
import { openBrand } from './brand-data.ts'
import { liveValue, useLive } from './live-value.ts'
import { newId } from './new-id.ts'
import type { Operation } from './outbox/operation.ts'
import { queue } from './outbox/queue.ts'
import type { RecordTable } from './record-tables.ts'
import { nouns } from './record-words.ts'
import type { TableRows } from './tables.ts'

/** A new record that the server refused, taken up again in its form. */
export interface Correction<Table extends RecordTable = RecordTable> {
  brandId: string
  table: Table
  rowId: string
  /** What was typed, by column. */
  row: Readonly<Partial<TableRows[Table]>>
  /** The company of a contact, as it was typed. */
  companyName: string | null
}

const current = liveValue<Correction | null>(null)

/** Takes a refused new record up again: the page of its list shows its form. Its table, or null where it is no such thing any more. */
export function beginCorrection(operationId: string): RecordTable | null {
  const operation = queue.get().operations.find(({ id }) => id === operationId)
  if (!operation || !isCorrectable(operation)) return null
  const { brandId, rowId, preview, call } = operation
  const table = operation.table as RecordTable
  const name = call?.args.p_company_name
  current.set({ brandId, table, rowId, row: preview, companyName: typeof name === 'string' ? name : null })
  return table
}

/** The form is closed, whatever came of it: what was not sent is where it was. */
export function endCorrection(): void {
  current.set(null)
}

/** The refused record of this table whose form is to be shown; null: none. */
export function useCorrection<Table extends RecordTable>(table: Table): Correction<Table> | null {
  const data = useBrandData()
  const correction = useLive(current)
  const isMine = correction?.table === table && correction.brandId === data?.brandId
  return isMine ? (correction as Correction<Table>) : null
}

/** Whether it was to make a record of the open brand that has a form, and was refused. */
export function isCorrectable({ state, kind, table, brandId }: Operation): boolean {
  const makesOne = kind === 'insert' || kind === 'call'
  return state === 'failed' && makesOne && table in nouns && brandId === openBrand.get()?.brandId
}

/** The id of a record that is to be made: a new one, or `corrected`, that of a refused one whose place it takes. */
export function newRow(corrected: string | undefined): { rowId: string; corrects: boolean } {
  return { rowId: corrected ?? newId(), corrects: corrected !== undefined }
}
