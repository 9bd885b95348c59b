import type { CustomField } from '#web/data/server/rows.ts'
import { comparableHead } from './column-words.ts'

/** Returns a custom field of contacts for tests; by default a text field. */
export function testField(id: string, label: string, parts: Partial<CustomField> = {}): CustomField {
  const at = '2026-11-23T00:00:00Z'
  return {
    brand_id: 'acme',
    id,
    table: 'contacts',
    key: comparableHead(label.replaceAll(' ', '7')).replaceAll('7', '_'),
    label,
    type: 'text',
    options: [],
    currency: null,
    position: 1,
    required: false,
    retired_at: null,
    rev: 1,
    version: 1,
    created_at: at,
    updated_at: at,
    created_by: null,
    updated_by: null,
    ...parts,
  }
}
