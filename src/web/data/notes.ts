import type { Note } from '#web/data/server/rows.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'

/** Notes are read by the timeline of a record, never as a list. */
export const noteDefinition: TableDefinition<Note> = {
  orders: {},
  references: { contact_id: 'contacts', company_id: 'companies', deal_id: 'deals' },
}
