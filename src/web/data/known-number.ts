import { referencedTables } from '#web/data/query/entries-of.ts'
import { findRowLimit } from '#web/data/query/find-row.ts'
import type { Query } from '#web/data/query/query.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { isSamePhoneNumber, phoneSearchWord } from '#web/data/query/same-number.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { type ContactEntry, contactEntry } from './contacts.ts'

/** The first contact (by name) with a certain phone number. `others`: how many of the first 50 found contacts also have this phone number. */
export interface ContactsWithNumber {
  entry: ContactEntry
  others: number
}

/**
 * Returns the contact with this number: from this device, or from the server if the contacts are not complete on this device. If several contacts
 * have the number, returns the first by name. Null if no contact has it.
 */
export function useContactWithNumber(phone: string): ContactsWithNumber | null {
  return useView(knownNumber, phoneSearchWord(phone) ?? '', null)
}

function knownNumber(data: BrandData, number: string): View<ContactsWithNumber | null> {
  if (!number) return { read: () => null, subscribe: () => () => {} }
  const query: Query<'contacts'> = { table: 'contacts', search: number, order: 'name', limit: findRowLimit }
  const rows = rowsOf(data, query)
  return view<ContactsWithNumber | null>([sourceOfView(rows), ...referencedTables(data, 'contacts')], () => {
    const { total, at } = rows.read()
    const found = Array.from({ length: total }, (_, index) => at(index))
    const [first, ...others] = found.filter((row) => row?.phone && isSamePhoneNumber(row.phone, number))
    return first ? { entry: contactEntry(data, first), others: others.length } : null
  })
}
