import { useState } from 'react'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { firstByName } from '#web/lib/names.ts'
import { brought } from './brought.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { Choice, Choices } from './record-list.ts'
import type { Page } from './server-list.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import { useView } from './use-view.ts'
import { type Source, sourceOf, type View, view } from './view.ts'

/** Lines of a combobox at most. */
export const choiceLimit = 50

/** Before anything is known. */
export const noChoices: Choices = { ready: false, choices: [] }

/** Choices for a field that tells what is typed in it. */
export interface SearchedChoices extends Choices {
  onSearch: (text: string) => void
  /** Makes a record of a text that was not found. */
  addition?: Addition
}

/** What a field needs to know to offer 'Add “…”'. */
export interface Addition {
  /** The name of the record that this text makes; null: it makes none. */
  offer: (text: string) => string | null
  make: (text: string) => Promise<{ id: string } | { refused: string }>
  /** Title of the toast of a refusal (spec section 8). */
  failure: string
  hint: string
}

/** What became of a record made in passing: its id, also where it still waits, or the server's refusal. */
export async function madeOf(outcome: Promise<Outcome>): Promise<{ id: string } | { refused: string }> {
  const told = await outcome
  return told.status === 'refused' ? { refused: told.message } : { id: told.id }
}

/** The choices of a field: those of the text that it told last. */
export function useChoiceSearch(make: (data: BrandData, search: string) => View<Choices>): SearchedChoices {
  const [text, onSearch] = useState('')
  return { ...useView(make, text.trim(), noChoices), onSearch }
}

export interface ChoiceViewOptions<Table extends TableName> {
  data: BrandData
  table: Table
  /** The search; null: all. */
  matches: ((row: TableRows[Table]) => boolean) | null
  shows: readonly Source[]
  choice: (row: TableRows[Table]) => Choice
  /** Where the table is not complete here: rows for this search from the server. */
  fetchSome: (signal: AbortSignal) => Promise<Page>
}

/** Choices of a combobox: from what is here, and where the table is not complete also from the server, into the same store. */
export function choiceView<Table extends TableName>(options: ChoiceViewOptions<Table>): View<Choices> {
  const { data, table, matches, choice } = options
  const inner = view<Choices>(
    [data.tables[table], ...options.shows, sourceOf(data.state), sourceOf(data.loaded)],
    () => {
      if (!data.loaded.get()) return { ready: false, choices: [] }
      const rows = [...data.tables[table].values()]
      const lines = (matches ? rows.filter(matches) : rows).map(choice)
      return { ready: true, choices: firstByName(lines, (line) => line.label, choiceLimit) }
    },
  )
  return brought(inner, options)
}
