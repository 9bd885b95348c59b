import type { ReactNode } from 'react'
import { useCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { useTags } from '#web/data/tags.ts'
import { TagDot } from './tag-chip.tsx'

/** Something that the records of a list are filtered by. */
export interface Facet {
  /** Its key in `Filters`. */
  key: string
  /** 'Tags' */
  label: string
  options: readonly { value: string; label: string; icon?: ReactNode }[]
}

/** The facet of a custom field: yes or no, or the options of a list. */
function facetsOf({ id, label, type, options }: CustomField): Facet[] {
  if (type === 'yes_no') return [{ key: `is.${id}`, label, options: yesOrNo }]
  if (type !== 'choice' && type !== 'choices') return []
  const used = options.filter(({ retired }) => !retired).map((option) => ({ value: option.id, label: option.label }))
  return [{ key: `${type === 'choice' ? 'one' : 'has'}.${id}`, label, options: used }]
}

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** What the records of a table can be filtered by, as far as there is something to choose from. */
export function useFacets(table: OwnedTable): Facet[] {
  const { tags } = useTags()
  const ofTags = tags.map(({ id, name, color }) => ({ value: id, label: name, icon: <TagDot color={color} /> }))
  const fields = useCustomFields(table)
  return [{ key: 'tags', label: 'Tags', options: ofTags }, ...fields.flatMap(facetsOf)].filter(
    ({ options }) => options.length > 0,
  )
}
