import { companyNameOf } from '#web/data/query/contact-names.ts'
import type { QueryAnswers } from '#web/data/server/read-queries.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/** A table to which exported records link. The export contains the names of the linked records. */
export type LinkedTable = 'contacts' | 'companies'

/** The linked tables of each exported table. */
export const linkedTables: Readonly<Partial<Record<TableName, readonly LinkedTable[]>>> = {
  contacts: ['companies'],
  deals: ['contacts', 'companies'],
}

/** The ids of linked records of a windowed table that are not on this device. */
export interface MissingLinks {
  table: LinkedTable
  ids: readonly string[]
}

/** Returns the linked records of these rows whose names are not on this device, by table. Leaves out complete tables. */
export function missingLinks(data: BrandData, table: TableName, rows: readonly AnyRow[]): MissingLinks[] {
  return (linkedTables[table] ?? []).flatMap((link) => {
    if (isComplete(data.state.get(), link)) return []
    const unnamed = rows.filter((row) => localName(data, link, row) === null)
    const ids = new Set(unnamed.flatMap((row) => linkedId(link, row) ?? []))
    const missingIds = [...ids].filter((id) => !data.tables[link].get(id))
    return missingIds.length > 0 ? [{ table: link, ids: missingIds }] : []
  })
}

/** Returns the names of the records in an answer, by id. */
export function namesIn(named: QueryAnswers['named']): Map<string, string> {
  const names = new Map<string, string>()
  for (const company of named.companies ?? []) names.set(company.id, textOf(company, 'name') ?? '')
  for (const contact of named.contacts ?? []) names.set(contact.id, contactName(contact) ?? '')
  return names
}

/** Returns the name of a row's linked record. Null if `names` does not have it. */
export function nameIn(names: ReadonlyMap<string, string>, link: LinkedTable, row: AnyRow): string | null {
  return names.get(linkedId(link, row) ?? '') ?? null
}

/** Returns the name of a row's linked record, as this device knows it. Null if there is none, or if it is not on this device. */
export function localName(data: BrandData, link: LinkedTable, row: AnyRow): string | null {
  const id = linkedId(link, row)
  if (link === 'companies') {
    const contact = data.tables.contacts.get(row.id)
    return data.tables.companies.get(id ?? '')?.name ?? (contact ? companyNameOf(data, contact) : null)
  }
  return contactName(data.tables.contacts.get(id ?? ''))
}

function linkedId(link: LinkedTable, row: AnyRow): string | null {
  return textOf(row, link === 'companies' ? 'company_id' : 'contact_id')
}

function contactName(contact: AnyRow | undefined): string | null {
  const names = { first_name: textOf(contact, 'first_name'), last_name: textOf(contact, 'last_name') }
  return fullName(names) ?? textOf(contact, 'email') ?? textOf(contact, 'phone')
}
