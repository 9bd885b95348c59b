import type { BrandData } from '#web/data/store/brand-data.ts'
import { compareNames } from '#web/lib/names.ts'
import { readPage } from '#web/data/server/rest-page.ts'
import type { Contact } from '#web/data/server/rows.ts'
import type { Page } from '#web/data/query/server-list.ts'
import { searchPage, type SearchQuery } from '#web/data/query/server-search.ts'
import { byTexts, newestFirst, type Order } from '#web/data/store/sorted-list.ts'

/** How contacts are sorted: newest first unless told otherwise. Those without the name, e-mail or company come last. */
export type ContactSort = 'newest' | 'name' | 'email' | 'company'

/** The orders that hang on the contact alone. */
export const contactOrders: Record<Exclude<ContactSort, 'company'>, Order<Contact>> = {
  newest: newestFirst,
  name: byTexts<Contact>(
    (contact) => contact.first_name,
    (contact) => contact.last_name,
  ),
  email: byTexts<Contact>((contact) => contact.email),
}

/** By the name of the company, then newest first. The companies are ranked once, so that ten thousand contacts compare numbers. */
export function byCompany(data: BrandData): Order<Contact> {
  const ranks = companyRanks(data)
  const rank = (contact: Contact) => (contact.company_id && ranks.get(contact.company_id)) || Number.MAX_SAFE_INTEGER
  return (a, b) => rank(a) - rank(b) || newestFirst(a, b)
}

/** The contacts on this device by company. */
export function contactsByCompany(data: BrandData): readonly Contact[] {
  return [...data.tables.contacts.values()].sort(byCompany(data))
}

function companyRanks(data: BrandData): Map<string, number> {
  const ranks = new Map<string, number>()
  const companies = [...data.tables.companies.values()].sort((a, b) => compareNames(a.name, b.name))
  companies.forEach((company, index) => {
    const before = companies[index - 1]
    // The same name is the same place.
    const isSame = before && compareNames(before.name, company.name) === 0
    ranks.set(company.id, isSame ? (ranks.get(before.id) ?? 0) : index + 1)
  })
  return ranks
}

const serverOrders = {
  newest: [
    { column: 'created_at', ascending: false },
    { column: 'id', ascending: true },
  ],
  name: [
    { column: 'first_name', ascending: true },
    { column: 'last_name', ascending: true },
    { column: 'id', ascending: true },
  ],
  email: [
    { column: 'email_norm', ascending: true },
    { column: 'id', ascending: true },
  ],
}

/** A page of contacts from the server. Throws RpcError. */
export async function fetchContacts(data: BrandData, query: SearchQuery & { sort?: ContactSort }): Promise<Page> {
  const { text, owner, sort = 'newest', offset, limit, signal } = query
  // The name of the company is another table's: the search can sort by it.
  if (text || sort === 'company') return searchPage(data, 'contacts', query)
  const equal: Record<string, string> = owner ? { owner_id: owner } : {}
  const page = await readPage({ ...data, table: 'contacts', equal, order: serverOrders[sort], offset, limit, signal })
  return { ...page, named: [] }
}
