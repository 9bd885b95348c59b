import { addCustomField, retireCustomField, updateCustomField } from '#web/data/change-fields.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { customPath } from '#web/data/store/row-fields.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { SimDevice } from './sim-device.ts'

/**
 * Runs a random action with custom fields: adds, renames, retires or restores a field, or sets a field's value in a deal. The server refuses all but
 * the last to a person with the role member.
 */
export function actOnFields({ device, data }: SimDevice, random: () => number): Promise<Outcome> | undefined {
  if (!data) return
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const fields = [...data.tables.custom_fields.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1))
  const chance = random()
  if (fields.length < 2 || chance < 0.05) {
    const label = `Field ${Math.floor(random() * 6)}`
    const draft = { table: 'deals', type: 'text', label, options: [], currency: null, required: false } as const
    return addCustomField(device, { ...draft, options: [] })
  }
  const field = pick(fields)
  if (!field) return
  if (chance < 0.1) return updateCustomField(device, field, { label: `Field ${Math.floor(random() * 6)}` })
  if (chance < 0.15)
    return field.retired_at ? updateCustomField(device, field, { retired_at: null }) : retireCustomField(device, field)
  const deals = [...data.tables.deals.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const deal = pick(deals)
  if (!deal) return
  const value = random() < 0.3 ? null : `Value ${Math.floor(random() * 4)}`
  const otherValues = random() < 0.3 ? { [customPath(pick(fields)?.id ?? field.id)]: 'Both' } : {}
  return updateRecord(device, 'deals', deal.id, { [customPath(field.id)]: value, ...otherValues })
}
