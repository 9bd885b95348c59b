import type { BrandData } from '#web/data/store/brand-data.ts'
import type { BrandTables } from '#web/data/store/definition.ts'
import { companyNameMatches, nameMatches } from '#web/data/query/contact-names.ts'
import { contactName } from '#web/data/store/contact-name.ts'
import { RowMemo } from '#web/data/query/row-memo.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { searchText } from '#web/data/query/search-text.ts'

/**
 * A deal with the names of its contact, company and owner, joined on this device. The object stays the same while nothing in it changes.
 */
export interface DealCard {
  deal: Deal
  contactName: string | null
  companyName: string | null
  /** Null if the deal has no owner, or if no member is known yet. */
  ownerName: string | null
  /** Whether operations on the deal wait to be sent. */
  waiting: boolean
}

const cards = new RowMemo<Deal, DealCard>()

/** Returns the card of a deal. */
export function cardOf(data: BrandData, deal: Deal): DealCard {
  const { contacts, companies, memberships } = data.tables
  const contact = contactName(deal.contact_id ? contacts.get(deal.contact_id) : undefined)
  const company = (deal.company_id && companies.get(deal.company_id)?.name) ?? null
  const member = deal.owner_id && memberships.get(deal.owner_id)
  // While no members have been read, an owner who is not among them may still be a member.
  const owner = member ? member.display_name : deal.owner_id && memberships.size > 0 ? 'Former member' : null
  const waiting = data.tables.deals.isWaiting(deal.id)
  return cards.get(deal, [contact, company, owner, waiting], () => ({
    deal,
    contactName: contact,
    companyName: company,
    ownerName: owner,
    waiting,
  }))
}

/** Whether the name of the deal, of its contact or of its company contains `word`, which is in lower case and without accents. */
export function dealMatches(data: BrandTables, deal: Deal, word: string): boolean {
  if (searchText(deal, searchedTexts).includes(word)) return true
  if (nameMatches(deal.contact_id ? data.tables.contacts.get(deal.contact_id) : undefined, word)) return true
  return companyNameMatches(deal.company_id ? data.tables.companies.get(deal.company_id) : undefined, word)
}

function searchedTexts(deal: Deal): readonly (string | null)[] {
  return [deal.name]
}
