import type { Device } from '#web/data/browser/device.ts'
import { insert, update } from '#web/data/changes/mutate.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { serverNow } from '#web/data/server/network.ts'
import { combinedOutcome, type Outcome } from '#web/data/session/outcome.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { newId } from '#web/lib/new-id.ts'

/** The settings of a new field. Table and type cannot be changed later. */
export type FieldDraft = Pick<CustomField, 'table' | 'type' | 'label' | 'options' | 'currency' | 'required'>

/** Adds a field after the other fields of its table. The server derives the field's key from its label. */
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

/** Changes values of a field. `label`: its present label, for the title in the queue. */
export function updateCustomField(
  device: Device,
  { id, label }: Pick<CustomField, 'id' | 'label'>,
  values: Partial<Pick<CustomField, 'label' | 'options' | 'currency' | 'required' | 'position' | 'retired_at'>>,
): Promise<Outcome> {
  return update(device, { table: 'custom_fields', rowId: id, title: `Field “${label}”`, icon: 'edit', values })
}

/** Retires a field: forms and lists no longer show it. Its values stay. */
export function retireCustomField(device: Device, field: CustomField): Promise<Outcome> {
  return updateCustomField(device, field, { retired_at: serverNow(device) })
}

/** Brings a retired field back to its former position. */
export function bringBackCustomField(device: Device, field: CustomField): Promise<Outcome> {
  return updateCustomField(device, field, { retired_at: null })
}

/**
 * Moves a field to an index among the active `fields` of its table (0: first). Writes only the position of this field. If the positions of
 * its neighbours are too close to each other (`smallestGap`), writes new positions for all `fields`.
 */
export function moveCustomField(
  device: Device,
  field: CustomField,
  index: number,
  fields: readonly CustomField[],
): Promise<Outcome> {
  const others = fields.filter(({ id }) => id !== field.id)
  const before = others[index - 1]?.position ?? 0
  const after = others[index]?.position ?? before + 2
  if (after - before > smallestGap) return updateCustomField(device, field, { position: (before + after) / 2 })
  const ordered = others.toSpliced(index, 0, field)
  return combinedOutcome(ordered.map((each, place) => updateCustomField(device, each, { position: place + 1 })))
}

/** If two positions differ by at most this, no new position is put between them. */
const smallestGap = 1e-6

function lastPosition(device: Device, table: string): number {
  const rows = openBrand(device).get()?.tables.custom_fields.values() ?? []
  return Math.floor(Math.max(0, ...[...rows].filter((row) => row.table === table).map(({ position }) => position)))
}
