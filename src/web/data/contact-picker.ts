import { type Device, useDevice } from '#web/data/browser/device.ts'
import { choicesOf, addedChoiceOf, useChoiceSearch } from '#web/data/query/choice-view.ts'
import { companyNameOf, nameMatches, ownTextMatches } from '#web/data/query/contact-names.ts'
import { searchedWords } from '#web/data/query/search-text.ts'
import type { View } from '#web/data/query/view.ts'
import type { Contact } from '#web/data/server/rows.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { contactName, fullName } from '#web/data/store/contact-name.ts'
import type { Addition, Choice, Choices, SearchedChoices } from '#web/lib/choice.ts'
import { readPerson } from '#web/lib/read-person.ts'
import { addContact } from './add-contact.ts'

/**
 * Returns contacts for a combobox, by name: at most 50 whose name, email, job title, phone or company matches the typed text. If the text
 * contains an email address, only this address is searched for.
 */
export function useContactSearch(): SearchedChoices {
  const device = useDevice()
  const { onSearch, ...found } = useChoiceSearch(contactChoices)
  return { ...found, onSearch: (text) => onSearch(readPerson(text).email ?? text), addition: contactAddition(device) }
}

/** Returns the company of a contact as a choice. Null if the contact has no company, or if the company is not on this device. */
export function companyChoiceOfContact(device: Device, contactId: string): Choice | null {
  const tables = openBrand(device).get()?.tables
  const company = tables?.companies.get(tables.contacts.get(contactId)?.company_id ?? '')
  return company ? { id: company.id, label: company.name } : null
}

/** Adds a contact that is typed into the combobox. The text must contain an email address or a phone number; a name is optional. */
const contactAddition = (device: Device): Addition => ({
  offer: (text) => {
    const person = readPerson(text)
    const emailOrPhone = person.email ?? person.phone
    const name = fullName(person)
    return emailOrPhone === null
      ? null
      : { name: name ?? emailOrPhone, detail: name && emailOrPhone, matchText: person.email ?? text }
  },
  make: (text) => addedChoiceOf(addContact(device, { ...readPerson(text), title: null, company: null })),
  failure: 'Error adding contact',
  hint: 'To add a contact, type a name with an email address or a phone number',
})

/**
 * Returns the contacts that match a search, sorted by name. Contacts whose own name has all typed words come first. A contact that matches only
 * because of its company's name shows the company.
 */
function contactChoices(data: BrandData, search: string): View<Choices> {
  const words = searchedWords(search)
  const hasAll = (matches: (word: string) => boolean) => words.every((forms) => forms.some(matches))
  const isNamed = (contact: Contact) => hasAll((word) => nameMatches(contact, word))
  const choiceOf = (contact: Contact) => {
    const isFoundByCompany = !hasAll((word) => ownTextMatches(contact, word))
    const company = isFoundByCompany ? companyNameOf(data, contact) : null
    return company ? { ...contactChoice(contact), detail: company } : contactChoice(contact)
  }
  const namedFirst = (contacts: readonly Contact[]) => [
    ...contacts.filter(isNamed),
    ...contacts.filter((contact) => !isNamed(contact)),
  ]
  return choicesOf(data, { table: 'contacts', search, order: 'name' }, choiceOf, namedFirst)
}

/** Returns a contact as a choice of a combobox. */
export function contactChoice(contact: Contact): Choice {
  const detail = fullName(contact) ? (contact.email ?? contact.phone) : null
  return { id: contact.id, label: contactName(contact) ?? '?', detail }
}
