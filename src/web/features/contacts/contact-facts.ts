import type { ContactEntry } from '#web/data/contacts.ts'

/** What lists show of a contact; null for values that it does not have. */
export interface ContactFacts {
  name: string | null
  title: string | null
  email: string | null
  phone: string | null
  /** '' while the company is not on this device yet. */
  company: string | null
  /** True if job title, email, phone and company are empty: 'No contact details'. */
  bare: boolean
}

/** Returns what lists show of this contact. */
export function factsOf({ contact, companyName }: ContactEntry): ContactFacts {
  const { title, email, phone } = contact
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ') || null
  const company = companyName ?? (contact.company_id ? '' : null)
  return { name, title, email, phone, company, bare: !title && !email && !phone && company === null }
}
