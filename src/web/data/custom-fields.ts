import { localRows } from '#web/data/query/local-rows.ts'
import type { Query } from '#web/data/query/query.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'

/** The tables whose records have custom fields. */
export type CustomTable = CustomField['table']

const fieldsInOrder: Query<'custom_fields'> = { table: 'custom_fields', order: 'position' }
const noFields: readonly CustomField[] = []

/** Returns the brand's custom fields of a table, by position, including retired ones. */
export function useAllCustomFields(table: CustomTable): readonly CustomField[] {
  return useView(allFieldsView, table, noFields)
}

/** Returns the custom fields of a table that forms and lists show, by position. */
export function useCustomFields(table: CustomTable): readonly CustomField[] {
  return useView(fieldsView, table, noFields)
}

function allFieldsView(data: BrandData, table: string): View<readonly CustomField[]> {
  return view([sourceOfView(rowsOf(data, fieldsInOrder))], () =>
    localRows(data, fieldsInOrder).filter((field) => field.table === table),
  )
}

function fieldsView(data: BrandData, table: string): View<readonly CustomField[]> {
  return view([sourceOfView(rowsOf(data, fieldsInOrder))], () => customFieldsOf(data, table))
}

/** Returns the active custom fields of a table, by position. */
export function customFieldsOf(data: BrandData, table: string): readonly CustomField[] {
  return localRows(data, fieldsInOrder).filter((field) => field.table === table && field.retired_at === null)
}

function byPosition(a: CustomField, b: CustomField): number {
  return a.position - b.position || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** How custom fields are ordered on this device, in the same way as in SQL. */
export const customFieldDefinition: TableDefinition<CustomField> = {
  orders: { position: { compare: () => byPosition } },
}
