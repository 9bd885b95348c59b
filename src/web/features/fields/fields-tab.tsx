import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { FieldList } from './field-list.tsx'
import { fieldTables } from './field-types.ts'

/** The tab Fields of /crm/settings: the custom fields of contacts, companies and deals in this brand. */
export function FieldsTab() {
  const { brand } = useActiveBrand()
  if (!brand) return null
  const mayDefine = brand.role !== 'member'
  return (
    <div className="grid max-w-190 grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-sm text-pretty text-ink2">
        Fields of your own: on the panel of each record, in ‘Set field…’ for selected ones, in filters (except texts and
        links), as columns of the list of contacts and, if required, in the forms of new records.
        {!mayDefine && ' Admins and owners define them.'}
      </p>
      {fieldTables.map((each) => (
        <FieldList key={`${brand.id} ${each.table}`} {...each} mayDefine={mayDefine} />
      ))}
    </div>
  )
}
