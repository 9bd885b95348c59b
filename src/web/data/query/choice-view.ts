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

/** Maximum number of choices in a combobox. */
const choiceLimit = 50

/** The choices before anything is known. */
export const noChoices: Choices = { ready: false, choices: [] }

/** Returns the id of a record that a combobox has added, also while it waits to be sent, or the server's refusal. */
export async function addedChoiceOf(outcome: Promise<Outcome>): Promise<{ id: string } | { refused: string }> {
  const made = await outcome
  return made.status === 'refused' ? { refused: made.message } : { id: made.id }
}

/** Returns the choices of a field for the text that was last passed to `onSearch`. */
export function useChoiceSearch(make: (data: BrandData, search: string) => View<Choices>): SearchedChoices {
  const [text, onSearch] = useState('')
  return { ...useView(make, text.trim(), noChoices), onSearch }
}

/** A view of the first rows of a query as choices. The typed text filters them. `arrange` puts the best choices first. */
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
