import type { Contact } from '#web/data/server/rows.ts'

/** Returns a contact's first and last name. Null if the contact has neither. */
export function fullName(contact: Pick<Contact, 'first_name' | 'last_name'>): string | null {
  return [contact.first_name, contact.last_name].filter(Boolean).join(' ') || null
}

/**
 * Returns the name under which other records show a contact: the full name, otherwise the email address, otherwise the phone number. Null if
 * the contact is undefined or has none of these.
 */
export function contactName(contact: Contact | undefined): string | null {
  return contact ? (fullName(contact) ?? contact.email ?? contact.phone) : null
}
