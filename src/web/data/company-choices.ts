import { useState } from 'react'
import { choicesOf, noChoices } from '#web/data/query/choice-view.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Choices, SearchedChoices } from '#web/lib/choice.ts'
import { contactChoice } from './contact-picker.ts'

type MakeChoices = (data: BrandData, key: string) => View<Choices>

/** Returns contacts for a combobox: the contacts of a company, then the others of `all`. If `companyId` is null, returns `all`. */
export function useCompanyContactsFirst(companyId: string | null, all: SearchedChoices): SearchedChoices {
  return useCompanyChoicesFirst(contactsOfCompany, companyId, all)
}

/** Returns deals for a combobox: the deals of a company, then the others of `all`. If `companyId` is null, returns `all`. */
export function useCompanyDealsFirst(companyId: string | null, all: SearchedChoices): SearchedChoices {
  return useCompanyChoicesFirst(dealsOfCompany, companyId, all)
}

function useCompanyChoicesFirst(make: MakeChoices, companyId: string | null, all: SearchedChoices): SearchedChoices {
  const [text, setText] = useState('')
  const own = useView(make, companyId ? `${companyId} ${text.trim()}` : '', noChoices).choices
  if (!companyId) return all
  const ids = new Set(own.map(({ id }) => id))
  return {
    ...all,
    choices: [...own, ...all.choices.filter(({ id }) => !ids.has(id))],
    onSearch: (typed) => {
      setText(typed)
      all.onSearch(typed)
    },
  }
}

function contactsOfCompany(data: BrandData, key: string): View<Choices> {
  const query = readKey(key)
  return query ? choicesOf(data, { table: 'contacts', ...query }, contactChoice) : noChoicesView
}

function dealsOfCompany(data: BrandData, key: string): View<Choices> {
  const query = readKey(key)
  return query ? choicesOf(data, { table: 'deals', ...query }, ({ id, name }) => ({ id, label: name })) : noChoicesView
}

const noChoicesView: View<Choices> = { read: () => noChoices, subscribe: () => () => {} }

/** Returns the query for a key, which is the id of a company, a space, and the typed text. Null for the key '', which has no company. */
function readKey(key: string) {
  const space = key.indexOf(' ')
  if (space < 0) return null
  return { where: { company_id: key.slice(0, space) }, search: key.slice(space + 1), order: 'name' }
}
