import { useState } from 'react'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Choice, Choices, SearchedChoices } from '#web/lib/choice.ts'
import { loadedEntries, referencedTables } from './entries-of.ts'
import type { Query } from './query.ts'
import { rowsOf } from './rows-of.ts'
import { useView } from './use-view.ts'
import { type View, view, viewSource } from './view.ts'

/** Lines of a combobox at most. */
const choiceLimit = 50

/** Before anything is known. */
export const noChoices: Choices = { ready: false, choices: [] }

/** The id of a record that a combobox has added, also while it waits to be sent, or the server's refusal. */
export async function madeOf(outcome: Promise<Outcome>): Promise<{ id: string } | { refused: string }> {
  const made = await outcome
  return made.status === 'refused' ? { refused: made.message } : { id: made.id }
}

/** The choices of a field for the last text of `onSearch`. */
export function useChoiceSearch(make: (data: BrandData, search: string) => View<Choices>): SearchedChoices {
  const [text, onSearch] = useState('')
  return { ...useView(make, text.trim(), noChoices), onSearch }
}

/** The first rows of a table in an order, as choices; what is typed filters. `arrange` puts the best of them first. */
export function choicesOf<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  choice: (row: TableRows[Table]) => Choice,
  arrange: (rows: readonly TableRows[Table][]) => readonly TableRows[Table][] = (rows) => rows,
): View<Choices> {
  const rows = rowsOf(data, { ...query, limit: choiceLimit })
  return view([viewSource(rows), ...referencedTables(data, query.table)], () => {
    const list = rows.read()
    return { ready: list.ready, choices: arrange(loadedEntries(list)).map(choice) }
  })
}
