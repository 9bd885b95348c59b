import { choicesOf, useChoiceSearch } from '#web/data/query/choice-view.ts'
import type { View } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Choices, SearchedChoices } from '#web/lib/choice.ts'
import { cardOf } from './deal-cards.ts'

/** Returns deals for a combobox, by name: at most 50 that match the typed text. */
export function useDealSearch(): SearchedChoices {
  return useChoiceSearch(dealChoices)
}

function dealChoices(data: BrandData, search: string): View<Choices> {
  return choicesOf(data, { table: 'deals', search, order: 'name' }, (deal) => ({
    id: deal.id,
    label: deal.name,
    detail: cardOf(data, deal).companyName,
  }))
}
