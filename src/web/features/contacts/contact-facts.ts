import type { ContactEntry } from '#web/data/contacts.ts'

/** What a list shows of a contact; null where it is not known. */
export interface ContactFacts {
  name: string | null
  title: string | null
  email: string | null
  phone: string | null
  company: string | null
  /** None of title, e-mail, phone and company: 'No contact details'. */
  bare: boolean
}

export function factsOf({ contact, companyName }: ContactEntry): ContactFacts {
  const { title, email, phone } = contact
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ') || null
  return { name, title, email, phone, company: companyName, bare: !title && !email && !phone && !companyName }
}
