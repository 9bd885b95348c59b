import type { Device } from '#web/data/browser/device.ts'
import { insert, update } from '#web/data/changes/mutate.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { serverNow } from '#web/data/server/network.ts'
import { combined, type Outcome } from '#web/data/session/outcome.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { newId } from '#web/lib/new-id.ts'

/** What an admin says of a field. Table and type cannot be changed afterwards. */
export type FieldDraft = Pick<CustomField, 'table' | 'type' | 'label' | 'options' | 'currency' | 'required'>

/** Adds a field behind the others of its table. The server makes its key from the label. */
export function addCustomField(device: Device, draft: FieldDraft): Promise<Outcome> {
  const values = { ...draft, position: lastPosition(device, draft.table) + 1 }
  const preview = { key: '', retired_at: null }
  return insert(device, {
    table: 'custom_fields',
    rowId: newId(),
    title: `Field “${draft.label}”`,
    icon: 'add',
    values,
    preview,
  })
}

/** Changes a field: its label, options, currency, or whether it is required. */
export function updateCustomField(
  device: Device,
  { id, label }: Pick<CustomField, 'id' | 'label'>,
  values: Partial<Pick<CustomField, 'label' | 'options' | 'currency' | 'required' | 'position' | 'retired_at'>>,
): Promise<Outcome> {
  return update(device, { table: 'custom_fields', rowId: id, title: `Field “${label}”`, icon: 'edit', values })
}

/** Takes a field out of forms and lists. What was written in it stays. */
export function retireCustomField(device: Device, field: CustomField): Promise<Outcome> {
  return updateCustomField(device, field, { retired_at: serverNow(device) })
}

/** Takes a retired field into use again, where it was. */
export function bringBackCustomField(device: Device, field: CustomField): Promise<Outcome> {
  return updateCustomField(device, field, { retired_at: null })
}

/** Moves a field to a place among the fields in use (0: first). Writes that field alone, unless there is no number left between its neighbours. */
export function moveCustomField(
  device: Device,
  field: CustomField,
  place: number,
  fields: readonly CustomField[],
): Promise<Outcome> {
  const others = fields.filter(({ id }) => id !== field.id)
  const before = others[place - 1]?.position ?? 0
  const after = others[place]?.position ?? before + 2
  if (after - before > closest) return updateCustomField(device, field, { position: (before + after) / 2 })
  const ordered = others.toSpliced(place, 0, field)
  return combined(ordered.map((each, index) => updateCustomField(device, each, { position: index + 1 })))
}

/** Positions nearer to each other than this have no other between them. */
const closest = 1e-6

function lastPosition(device: Device, table: string): number {
  const rows = openBrand(device).get()?.tables.custom_fields.values() ?? []
  return Math.floor(Math.max(0, ...[...rows].filter((row) => row.table === table).map(({ position }) => position)))
}
