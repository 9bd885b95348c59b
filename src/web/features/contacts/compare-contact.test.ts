import { expect, test } from 'vitest'
import type { ContactEntry } from '#web/data/contacts.ts'
import { compareContact } from './compare-contact.ts'
import type { CheckedContact } from './contact-schema.ts'

const knownEntry = {
  contact: { first_name: 'Dieter', last_name: null, phone: '+49 (30) 1234', title: '', email: 'd@krause.example' },
  companyName: 'Krause GmbH',
  waiting: false,
} as unknown as ContactEntry
const noInput: CheckedContact = {
  email: 'd@krause.example',
  first_name: null,
  last_name: null,
  phone: null,
  title: null,
  company: null,
}

test('empty fields of a known contact are filled, the person is asked about differing fields, and fields without input keep their values', () => {
  expect(
    compareContact(knownEntry, { ...noInput, first_name: 'Dietrich', last_name: 'Krause', title: 'Buyer' }),
  ).toEqual({
    fills: { last_name: 'Krause', title: 'Buyer' },
    differs: [{ field: 'first_name', theirs: 'Dieter', mine: 'Dietrich' }],
  })
  expect(compareContact(knownEntry, noInput)).toEqual({ fills: {}, differs: [] })
})

test('the same phone number with other separators and the same company name in other case do not differ', () => {
  expect(compareContact(knownEntry, { ...noInput, phone: '+49-30-1234', company: 'KRAUSE gmbh' }).differs).toEqual([])
  expect(compareContact(knownEntry, { ...noInput, phone: '+49 30 1235', company: 'Krause AG' }).differs).toEqual([
    { field: 'phone', theirs: '+49 (30) 1234', mine: '+49 30 1235' },
    { field: 'company', theirs: 'Krause GmbH', mine: 'Krause AG' },
  ])
})

test('the company of a known contact counts as different from the typed one if its name is not on this device yet', () => {
  const withoutCompanyName = { ...knownEntry, contact: { ...knownEntry.contact, company_id: 'a' }, companyName: null }
  expect(compareContact(withoutCompanyName, { ...noInput, company: 'Other' })).toEqual({
    fills: {},
    differs: [{ field: 'company', theirs: 'Another company', mine: 'Other' }],
  })
})
