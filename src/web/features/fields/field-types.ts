import type { CustomTable } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'

export type FieldType = CustomField['type']

/** The types of custom fields as options of a select, in their order on screen. */
export const fieldTypes: readonly { value: FieldType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'long_text', label: 'Long text' },
  { value: 'number', label: 'Number' },
  { value: 'money', label: 'Money' },
  { value: 'date', label: 'Date' },
  { value: 'yes_no', label: 'Yes or no' },
  { value: 'choice', label: 'One of a list' },
  { value: 'choices', label: 'Several of a list' },
  { value: 'link', label: 'Link' },
]

/** Returns the label of a type: 'One of a list'. */
export function typeName(type: FieldType): string {
  return fieldTypes.find(({ value }) => value === type)?.label ?? type
}

/** Whether fields of this type have a list of options. */
export function hasOptions(type: FieldType): boolean {
  return type === 'choice' || type === 'choices'
}

/** The tables with custom fields. `one`: the word for one record of the table. */
export const fieldTables: readonly { table: CustomTable; title: string; one: string }[] = [
  { table: 'contacts', title: 'Contacts', one: 'contact' },
  { table: 'companies', title: 'Companies', one: 'company' },
  { table: 'deals', title: 'Deals', one: 'deal' },
]

/** Returns the field's type as text, with its active options or its currency: 'One of a list: Gold, Silver', 'Money in EUR', 'Date'. */
export function typeWords({ type, options, currency }: Pick<CustomField, 'type' | 'options' | 'currency'>): string {
  if (type === 'money') return `Money in ${currency}`
  if (!hasOptions(type)) return typeName(type)
  const labels = options.filter(({ retired }) => !retired).map(({ label }) => label)
  return `${typeName(type)}: ${labels.join(', ')}`
}
