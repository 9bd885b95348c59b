import type { Note } from '#web/data/server/rows.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'

/**
 * How notes are ordered. They have no `references`, because they are deleted with their record instead of losing the link. This file is separate from
 * notes.ts, which is loaded when a record is opened.
 */
export const noteDefinition: TableDefinition<Note> = {
  orders: {
    newest: {
      compare: () => (a, b) => Date.parse(b.occurred_at) - Date.parse(a.occurred_at) || (a.id < b.id ? -1 : 1),
    },
  },
}
