import { Suspense } from 'react'
import { type CustomTable, useCustomFields } from '#web/data/custom-fields.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { PanelFields } from '#web/ui/panel-parts.tsx'

const CustomFieldList = lazyComponent(async () => (await import('./custom-field-list.tsx')).CustomFieldList)

interface RecordFieldsProps {
  table: CustomTable
  /** The record. `custom` is missing in rows that were stored before custom fields existed. */
  row: { id: string; custom?: Record<string, unknown> }
}

/** The custom fields of a record in its panel. The space of the fields is kept while the code that shows them is loading. */
export function RecordFields({ table, row }: RecordFieldsProps) {
  const fields = useCustomFields(table)
  if (fields.length === 0) return null
  return (
    <PanelFields>
      <Suspense fallback={fields.map(({ id }) => <div key={id} className="h-8 max-sm:h-15" />)}>
        <CustomFieldList table={table} id={row.id} custom={row.custom ?? {}} fields={fields} />
      </Suspense>
    </PanelFields>
  )
}
