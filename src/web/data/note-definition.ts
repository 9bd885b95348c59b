import type { Note } from '#web/data/server/rows.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'

/**
 * Notes are read by the timeline of a record. They lose no link with a record: they go with it. Apart from notes.ts, which comes when a
 * record is opened.
 */
export const noteDefinition: TableDefinition<Note> = {
  orders: {
    newest: {
      compare: () => (a, b) => Date.parse(b.occurred_at) - Date.parse(a.occurred_at) || (a.id < b.id ? -1 : 1),
    },
  },
}
