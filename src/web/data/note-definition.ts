import type { Note } from '#web/data/server/rows.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'

/**
 * How notes are ordered. Notes have no `references`, because a note is deleted with its record instead of losing the link. This file is separate from
 * notes.ts, because notes.ts is loaded only when a record is opened.
 */
export const noteDefinition: TableDefinition<Note> = {
  orders: {
    newest: {
      compare: () => (a, b) => Date.parse(b.occurred_at) - Date.parse(a.occurred_at) || (a.id < b.id ? -1 : 1),
    },
  },
}
