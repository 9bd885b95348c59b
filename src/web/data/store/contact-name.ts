import type { Contact } from '#web/data/server/rows.ts'

/** First and last name, or null where there is neither. */
export function fullName(contact: Pick<Contact, 'first_name' | 'last_name'>): string | null {
  return [contact.first_name, contact.last_name].filter(Boolean).join(' ') || null
}

/** The name of a contact in other records: the full name, else the e-mail, else the phone number. */
export function contactName(contact: Contact | undefined): string | null {
  return contact ? (fullName(contact) ?? contact.email ?? contact.phone) : null
}
