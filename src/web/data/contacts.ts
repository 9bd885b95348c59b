import type { Outcome } from './outcome.ts'
import type { Choices, RecordList } from './record-list.ts'
import type { Contact } from './rows.ts'

export interface ContactEntry {
  contact: Contact
  companyName: string | null
  waiting: boolean
}

/** Contacts of the active brand, newest first; `search` filters on name, e-mail and company name without regard to case. */
export function useContacts(_search: string): RecordList<ContactEntry> {
  return { ready: false, total: 0, at: () => undefined, searching: false }
}

/** One contact by id; null when it is not here. */
export function useContact(_id: string | null): { ready: boolean; entry: ContactEntry | null } {
  return { ready: false, entry: null }
}

/** Contacts for a combobox, by name; `text` filters (name, e-mail, company), at most 50 come. */
export function useContactChoices(_text: string): Choices {
  return { ready: false, choices: [] }
}

export interface NewContact {
  email: string
  first_name: string | null
  last_name: string | null
  /** Company name; found without regard to case, else created. */
  company: string | null
}

/** upsert_contact: an e-mail that exists updates that contact, and its id is the outcome's. Failure 'Error adding contact'; success 'Contact added'. */
export function addContact(_contact: NewContact): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}
