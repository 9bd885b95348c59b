import { choicesOf, noChoices } from '#web/data/query/choice-view.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Choices } from '#web/lib/choice.ts'

/** Returns companies for a combobox that manages its text itself. */
export function useCompanyChoices(text: string): Choices {
  return useView(companyChoices, text.trim(), noChoices)
}

/** The companies of a combobox, by name: at most 50 that match the typed text. */
export function companyChoices(data: BrandData, search: string): View<Choices> {
  return choicesOf(data, { table: 'companies', search, order: 'name' }, (company) => ({
    id: company.id,
    label: company.name,
    detail: company.domain,
  }))
}
