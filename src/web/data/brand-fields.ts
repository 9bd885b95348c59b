import type { Device } from '#web/data/browser/device.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { customFieldsOf } from './custom-fields.ts'

/** Returns the active custom fields of a table of the open brand, by position. */
export function brandFieldsOf(device: Device, table: CustomField['table']): readonly CustomField[] {
  const data = openBrand(device).get()
  return data ? customFieldsOf(data, table) : []
}

/** Returns a custom field of the open brand, active or retired. Undefined if it is not on this device. */
export function brandField(device: Device, id: string): CustomField | undefined {
  return openBrand(device).get()?.tables.custom_fields.get(id)
}
