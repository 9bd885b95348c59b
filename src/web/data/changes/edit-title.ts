import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { fieldWords } from './field-words.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { rowWordsOf, recordWords } from './record-words.ts'
import type { AnyRow } from '#web/data/server/tables.ts'

/**
 * Returns the title of an edit in the queue. If exactly one field changes: 'Phone of “Owen Davies”' or 'Owner of 3 deals'. If this field is the
 * stage, and `values` contains a stage that is on this device: 'Move 3 deals to Won'. Otherwise: 'Edit of deal “Roof”', or 'Edit of a deal' if its
 * name is not known.
 */
export function editTitle(
  device: Device,
  table: RecordTable,
  fields: readonly string[],
  rows: readonly (AnyRow | undefined)[],
  values: Readonly<Record<string, unknown>> = {},
): string {
  const records = recordWords(table, rows)
  const [only] = fields
  if (fields.length !== 1 || only === undefined)
    return `Edit of ${records.startsWith('“') ? `${rowWordsOf(table).one} ` : ''}${records}`
  const stage = typeof values.stage_id === 'string' && openBrand(device).get()?.tables.deal_stages.get(values.stage_id)
  if (stage) return `Move ${records} to ${stage.name}`
  const words = only === 'title' && table === 'contacts' ? 'job title' : fieldWords(only, openBrand(device).get())
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} of ${records}`
}
