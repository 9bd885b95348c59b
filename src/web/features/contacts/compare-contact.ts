import type { ContactEntry } from '#web/data/contacts.ts'
import type { CheckedContact } from './contact-schema.ts'

/** A field of the form for which a known contact (one that already has the typed email address) may have a different value. */
export type ComparedField = 'first_name' | 'last_name' | 'phone' | 'title' | 'company'

const fields: readonly ComparedField[] = ['first_name', 'last_name', 'phone', 'title', 'company']

export interface Difference {
  field: ComparedField
  theirs: string
  mine: string
}

/** The result of `compareContact`. `fills`: typed values for the contact's empty fields. `differs`: the fields with two different values. */
export interface Comparison {
  fills: Partial<Record<ComparedField, string>>
  differs: readonly Difference[]
}

/** Compares the typed values with a known contact. Empty inputs are ignored. */
export function compareContact({ contact, companyName }: ContactEntry, typed: CheckedContact): Comparison {
  const fills: Comparison['fills'] = {}
  const differs: Difference[] = []
  // If the company's name is not on this device yet, it counts as a different company: then the person is asked.
  const employer = companyName ?? (contact.company_id ? 'Another company' : null)
  for (const field of fields) {
    const mine = typed[field]
    const theirs = field === 'company' ? employer : contact[field]
    if (!mine) continue
    if (!theirs) fills[field] = mine
    else if (!isSame(field, theirs, mine)) differs.push({ field, theirs, mine })
  }
  return { fills, differs }
}

/** Company names are compared case-insensitively, phone numbers without spaces and punctuation, other values exactly. */
function isSame(field: ComparedField, one: string, other: string): boolean {
  if (field === 'company') return one.toLowerCase() === other.toLowerCase()
  if (field === 'phone') return compactNumber(one) === compactNumber(other)
  return one === other
}

function compactNumber(phone: string): string {
  return phone.replace(/[\s()./-]/g, '') || phone
}
