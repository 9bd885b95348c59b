import { useState } from 'react'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Choice, Choices, SearchedChoices } from '#web/lib/choice.ts'
import { loadedEntries, referencedTables } from './entries-of.ts'
import type { Query } from './query.ts'
import { rowsOf } from './rows-of.ts'
import { useView } from './use-view.ts'
import { type View, view, sourceOfView } from './view.ts'

/** Maximum number of choices that a combobox shows. */
const choiceLimit = 50

/** The choices of a combobox while no brand is open: not ready, and empty. */
export const noChoices: Choices = { ready: false, choices: [] }

/**
 * Waits for the outcome of adding a record in a combobox. Returns the record's id, even if the record still waits to be sent, or the
 * server's message if the server refused the record.
 */
export async function addedChoiceOf(outcome: Promise<Outcome>): Promise<{ id: string } | { refused: string }> {
  const result = await outcome
  return result.status === 'refused' ? { refused: result.message } : { id: result.id }
}

/**
 * Returns the choices of a combobox, and the function `onSearch`, which the combobox calls with the typed text. `make` creates the view of
 * the choices for this text.
 */
export function useChoiceSearch(make: (data: BrandData, search: string) => View<Choices>): SearchedChoices {
  const [text, onSearch] = useState('')
  return { ...useView(make, text.trim(), noChoices), onSearch }
}

/**
 * Creates a view that shows the first 50 rows of a query as the choices of a combobox. `query.search` is the typed text. `arrange` may
 * change the order of these rows.
 */
export function choicesOf<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  choiceOf: (row: TableRows[Table]) => Choice,
  arrange: (rows: readonly TableRows[Table][]) => readonly TableRows[Table][] = (rows) => rows,
): View<Choices> {
  const rows = rowsOf(data, { ...query, limit: choiceLimit })
  return view([sourceOfView(rows), ...referencedTables(data, query.table)], () => {
    const list = rows.read()
    return { ready: list.ready, choices: arrange(loadedEntries(list)).map(choiceOf) }
  })
}
